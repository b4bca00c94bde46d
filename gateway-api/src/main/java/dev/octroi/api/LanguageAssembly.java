package dev.octroi.api;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.ModelSettings;
import dev.octroi.api.settings.Secret;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.catalogue.InvalidCatalogue;
import dev.octroi.services.language.catalogue.ModelCatalogue;
import dev.octroi.services.language.relay.LanguageModels;
import dev.octroi.services.language.route.Route;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamHost;
import dev.octroi.services.upstream.UpstreamSettings;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The language models, composed from the settings; owns the connections to their upstreams. */
record LanguageAssembly(LanguageModels models, Map<String, UpstreamClient> upstreams)
    implements AutoCloseable {

  static LanguageAssembly of(ModelSettings settings, Clock clock, UpstreamHost host) {
    ModelCatalogue catalogue = settings.models(clock);
    Map<String, UpstreamClient> upstreams = new HashMap<>();
    settings
        .upstreams()
        .forEach(
            (name, address) ->
                upstreams.put(name, client(settings, catalogue, name, address, host)));
    return new LanguageAssembly(
        new LanguageModels(catalogue, upstreams, settings.relay(), host.threads(), clock),
        upstreams);
  }

  /** What is wrong with the settings, one sentence each. */
  static List<String> problems(GatewaySettings all, Clock clock) {
    ModelSettings settings = all.language();
    List<String> problems = new ArrayList<>();
    try {
      ModelCatalogue catalogue = settings.models(clock);
      for (String name : settings.upstreams().keySet()) {
        if (!catalogue.upstreams().contains(name)) {
          problems.add(
              "gateway.language.upstreams."
                  + name
                  + ": the catalogue has no model there; it names "
                  + String.join(", ", catalogue.upstreams()));
        }
      }
      check(catalogue, "websearch.smart-model", all.websearch().smartModel(), problems);
      if (!all.cryptodata().isPlain()) {
        String model = all.cryptodata().questionModel();
        check(catalogue, "cryptodata.question-model", model, problems);
      }
    } catch (InvalidCatalogue invalid) {
      invalid.problems().forEach(problem -> problems.add("gateway.language.catalogue: " + problem));
    }
    return problems;
  }

  private static void check(
      ModelCatalogue catalogue, String setting, String model, List<String> problems) {
    if (Route.named(model).isEmpty() && catalogue.find(model).isEmpty()) {
      problems.add("gateway." + setting + ": there is no model " + model);
    }
  }

  private static UpstreamClient client(
      ModelSettings settings,
      ModelCatalogue catalogue,
      String name,
      URI address,
      UpstreamHost host) {
    return new UpstreamClient(
        UpstreamSettings.of("language-" + name, address)
            .with(credential(settings, catalogue, name))
            .withDeadline(settings.deadline())
            .withMaxConnections(settings.connections())
            .withRetries(0),
        host);
  }

  /** One of the protocols has a header of its own for the key. */
  private static Credential credential(
      ModelSettings settings, ModelCatalogue catalogue, String name) {
    Secret secret = settings.credentials().get(name);
    if (secret == null || secret.value().isEmpty()) {
      return Credential.none();
    }
    boolean messages =
        catalogue.live().stream()
            .filter(model -> model.source().upstream().equals(name))
            .anyMatch(model -> model.source().protocol() == Dialect.MESSAGES);
    return messages
        ? Credential.header("x-api-key", secret.value())
        : Credential.bearer(secret.value());
  }

  @Override
  public void close() {
    models.close();
    upstreams.values().forEach(UpstreamClient::close);
  }
}
