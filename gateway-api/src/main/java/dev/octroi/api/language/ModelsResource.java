package dev.octroi.api.language;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.catalogue.Model;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.util.Optional;

/** The live catalogue, free and without credentials (decisions, models). */
@Path("/v1/models")
@Produces(MediaType.APPLICATION_JSON)
public class ModelsResource {

  private final LanguageService service;

  public ModelsResource(@Context Providers providers) {
    this(LanguageService.of(providers));
  }

  ModelsResource(LanguageService service) {
    this.service = service;
  }

  @GET
  @Free
  @Described(value = "Every model that is served", answerSchema = "ModelList")
  public Response list() {
    ObjectNode list = LanguageJson.object().put("object", "list");
    service.models().served().forEach(model -> list.withArray("data").add(ModelView.of(model)));
    return Response.ok(LanguageJson.bytes(list)).build();
  }

  /** One model; its name may hold the slash of its vendor's prefix. */
  @GET
  @Path("{model: .+}")
  @Free
  @Described(value = "One model, by any of its names", answerSchema = "Model")
  public Response one(@PathParam("model") String name) {
    Optional<Model> found = service.models().served(name);
    return found
        .map(model -> Response.ok(LanguageJson.bytes(ModelView.of(model))).build())
        .orElseGet(ModelView::unknown);
  }
}
