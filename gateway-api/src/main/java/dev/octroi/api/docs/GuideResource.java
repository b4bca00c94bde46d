package dev.octroi.api.docs;

import dev.octroi.api.docs.DocsGate.Documentation;
import dev.octroi.api.docs.DocsResource.DocsServices;
import dev.octroi.api.house.Refused;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;

/** The guide: what to do, step by step, and what to look up. */
@Path("/docs/guide")
@Documentation
public class GuideResource {

  private final GuidePages pages;

  public GuideResource(@Context Providers providers) {
    pages = DocsServices.of(providers).guide();
  }

  @GET
  @Free
  @Described(value = "The guide", answerTypes = MediaType.TEXT_HTML)
  public Response index() {
    return page("");
  }

  @GET
  @Path("{page: [a-z-]*}")
  @Free
  @Described(value = "A page of the guide", answerTypes = MediaType.TEXT_HTML)
  public Response page(@PathParam("page") String word) {
    byte[] page =
        pages.page(word).orElseThrow(() -> Refused.unknown("There is no such page of the guide."));
    return Response.ok(page, MediaType.TEXT_HTML_TYPE.withCharset("utf-8"))
        .header("Content-Security-Policy", pages.policy())
        .header("Referrer-Policy", "no-referrer")
        .header(HttpHeaders.CACHE_CONTROL, "no-cache")
        .build();
  }
}
