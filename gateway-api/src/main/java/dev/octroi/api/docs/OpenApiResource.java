package dev.octroi.api.docs;

import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.asset.BaseAddress.Linking;
import dev.octroi.api.docs.DocsGate.Documentation;
import dev.octroi.api.docs.DocsResource.DocsServices;
import dev.octroi.api.openapi.ApiDocument;
import dev.octroi.api.openapi.ApiDocument.Edition;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;

/** The description of everything that is served (OpenAPI 3.1). */
@Path("/openapi.json")
@Documentation
public class OpenApiResource {

  private final ApiDocument document;

  public OpenApiResource(@Context Providers providers) {
    document = DocsServices.of(providers).document();
  }

  @GET
  @Linking
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  @Described("This description")
  public Response describe(@Context Request request, @HeaderParam(BaseAddress.HEADER) String base) {
    Edition edition = document.edition(base);
    EntityTag tag = new EntityTag(edition.tag());
    Response.ResponseBuilder known = request.evaluatePreconditions(tag);
    Response.ResponseBuilder response =
        known == null ? Response.ok(edition.bytes(), MediaType.APPLICATION_JSON_TYPE) : known;
    return response.tag(tag).header(HttpHeaders.CACHE_CONTROL, "no-cache").build();
  }
}
