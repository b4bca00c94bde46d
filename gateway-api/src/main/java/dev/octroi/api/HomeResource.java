package dev.octroi.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.octroi.api.group.Group;
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
  private static final List<Group> SERVED =
      List.of(Group.CRYPTODATA, Group.PREDICTION, Group.WEBSEARCH);

  private final boolean sandbox;

  public HomeResource(@Context Providers providers) {
    this(Gateway.of(providers));
  }

  HomeResource(Gateway gateway) {
    this.sandbox = gateway.isSandbox();
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
      json.writeBooleanField("sandbox", sandbox);
      json.writeArrayFieldStart("groups");
      for (Group group : SERVED) {
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
}
