package dev.octroi.api.language;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import dev.octroi.payments.Usd;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.catalogue.Model;
import dev.octroi.services.language.catalogue.Model.Rates;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.time.ZoneOffset;
import java.util.Locale;
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

  /** A model as the catalogue's endpoint shows it. */
  private static final class ModelView {

    private ModelView() {}

    static ObjectNode of(Model model) {
      ObjectNode view =
          LanguageJson.object()
              .put("id", model.id())
              .put("object", "model")
              .put("created", model.released().atStartOfDay().toEpochSecond(ZoneOffset.UTC))
              .put("owned_by", model.vendor())
              .put("context_window", model.contextWindow())
              .put("max_output_tokens", model.maxOutput());
      ArrayNode input = view.putArray("input_modalities");
      model.input().stream().sorted().forEach(kind -> input.add(word(kind)));
      ArrayNode abilities = view.putArray("abilities");
      model.abilities().stream().sorted().forEach(ability -> abilities.add(word(ability)));
      model.price().ifPresent(rates -> view.set("pricing", pricing(rates)));
      return view;
    }

    private static ObjectNode pricing(Rates rates) {
      return LanguageJson.object()
          .put("currency", "USD")
          .put("unit", "million_tokens")
          .put("input", dollars(rates.input()))
          .put("output", dollars(rates.output()))
          .put("cache_read", dollars(rates.cacheRead()))
          .put("cache_write", dollars(rates.cacheWrite()));
    }

    private static String dollars(long micros) {
      return new Usd(micros).dollars();
    }

    private static String word(Enum<?> constant) {
      return constant.name().toLowerCase(Locale.ROOT);
    }

    static Response unknown() {
      return Problems.response(
          Dialect.CHAT, Problem.of(404, "There is no such model.", "model_not_found"));
    }
  }
}
