package dev.octroi.api.docs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.octroi.api.group.Group;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Providers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Tells a caller of the base address what this is. */
@Path("/")
public class HomeResource {

  private static final JsonFactory JSON = new JsonFactory();

  private final Home home;

  public HomeResource(@Context Providers providers) {
    this(Mounted.of(providers, Home.class));
  }

  HomeResource(Home home) {
    this.home = home;
  }

  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  @Described(value = "What this is", answerSchema = "Home")
  public byte[] home() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeStringField("name", "Octroi");
      json.writeStringField(
          "description",
          "A pay-per-call gateway: each call is paid with x402 and needs no account.");
      json.writeBooleanField("sandbox", home.sandbox());
      json.writeArrayFieldStart("groups");
      for (Group group : home.groups()) {
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
   * @param groups those of which something is sold
   */
  public record Home(boolean sandbox, List<Group> groups) {

    public Home {
      groups = List.copyOf(groups);
    }
  }
}
