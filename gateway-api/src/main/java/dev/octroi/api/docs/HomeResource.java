package dev.octroi.api.docs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.asset.BaseAddress.Linking;
import dev.octroi.api.discovery.HomePage;
import dev.octroi.api.group.Group;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.http.AcceptHtml;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Supplier;

/** Tells a caller of the base address what this is: a browser by a page, a program by JSON. */
@Path("/")
public class HomeResource {

  private static final JsonFactory JSON = new JsonFactory();

  private final Home home;

  public HomeResource(@Context Providers providers) {
    home = Mounted.of(providers, Home.class);
  }

  @GET
  @Linking
  @Free
  @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_HTML})
  @Described(value = "What this is", answerSchema = "Home")
  public Response home(@Context HttpHeaders headers, @HeaderParam(BaseAddress.HEADER) String base) {
    List<String> accepted = headers.getRequestHeader(HttpHeaders.ACCEPT);
    boolean page = accepted != null && AcceptHtml.isPreferred(String.join(",", accepted));
    Response.ResponseBuilder answer =
        page
            ? Response.ok(home.page().of(base), MediaType.TEXT_HTML_TYPE.withCharset("utf-8"))
                .header("Content-Security-Policy", home.page().policy())
                .header("Referrer-Policy", "no-referrer")
            : Response.ok(json(), MediaType.APPLICATION_JSON_TYPE);
    return answer
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .header(HttpHeaders.VARY, HttpHeaders.ACCEPT)
        .build();
  }

  private byte[] json() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeStringField("name", "Octroi");
      json.writeStringField(
          "description",
          "A pay-per-call gateway: each call is paid with x402 and needs no account.");
      json.writeBooleanField("sandbox", home.sandbox());
      json.writeArrayFieldStart("groups");
      for (Group group : home.groups().get()) {
        json.writeStartObject();
        json.writeStringField("name", group.word());
        json.writeStringField("base", group.base());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeStringField(
          "next",
          "Call any path of a group without payment: the 402 says what it costs and how to pay.");
      json.writeStringField("documentation", "docs");
      json.writeStringField("openapi", "openapi.json");
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * What the home tells.
   *
   * @param sandbox whether the money is worthless
   * @param groups those of which something is sold at this moment
   * @param page the same for people
   */
  public record Home(boolean sandbox, Supplier<List<Group>> groups, HomePage page) {}
}
