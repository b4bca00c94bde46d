package dev.octroi.api.language;

import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.SoldModels;
import dev.octroi.api.group.SoldModels.SoldModel;
import dev.octroi.api.group.Upstream;
import dev.octroi.api.settings.ModelSettings;
import dev.octroi.api.settings.Secret;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.catalogue.Model;
import dev.octroi.services.language.catalogue.ModelCatalogue;
import dev.octroi.services.language.relay.LanguageModels;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamSettings;
import dev.octroi.services.upstream.VendorModels;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The language models, which several groups ask. */
public final class Models {

  private Models() {}

  /** The models of a gateway, opened by whichever group asks first. */
  public static LanguageModels of(ModelSettings settings, GroupContext context) {
    return context.once(LanguageModels.class, () -> open(settings, context));
  }

  private static LanguageModels open(ModelSettings settings, GroupContext context) {
    ModelCatalogue catalogue = settings.models(context.clock());
    Map<String, UpstreamClient> clients = new LinkedHashMap<>();
    upstreams(settings, catalogue)
        .forEach((name, upstream) -> clients.put(name, context.client(upstream)));
    return new LanguageModels(
        catalogue, clients, settings.relay(), context.threads(), context.clock());
  }

  /** Whom the models are asked of, by the name that the catalogue gives it. */
  static Map<String, Upstream> upstreams(ModelSettings settings, ModelCatalogue catalogue) {
    Map<String, Upstream> upstreams = new LinkedHashMap<>();
    settings
        .upstreams()
        .forEach(
            (name, address) ->
                upstreams.put(
                    name,
                    new Upstream(
                        "gateway.language." + name,
                        "gateway.language.upstreams." + name,
                        UpstreamSettings.of("language-" + name, address)
                            .with(credential(settings, catalogue, name))
                            .withDeadline(settings.deadline())
                            .withMaxConnections(settings.connections())
                            .withRetries(0),
                        true)));
    return upstreams;
  }

  /** What is sold of each of them. */
  static List<SoldModels> sold(ModelSettings settings, ModelCatalogue catalogue) {
    return upstreams(settings, catalogue).entrySet().stream()
        .map(
            each ->
                new SoldModels(
                    each.getValue(),
                    speaksMessages(catalogue, each.getKey())
                        ? VendorModels.Form.PAGED
                        : VendorModels.Form.WHOLE,
                    at(catalogue, each.getKey()).map(Models::sold).toList()))
        .toList();
  }

  private static SoldModel sold(Model model) {
    return new SoldModel(model.id(), model.source().model(), Optional.ofNullable(model.retired()));
  }

  /**
   * Whether there is what it takes to call the upstream of that name: a credential, which only an
   * upstream of the operator's own network does without.
   */
  public static boolean isCallable(ModelSettings settings, String name) {
    Secret secret = settings.credentials().get(name);
    URI address = settings.upstreams().get(name);
    return (secret != null && !secret.value().isEmpty())
        || (address != null && !"https".equals(address.getScheme()));
  }

  /** One of the protocols has a header of its own for the key. */
  private static Credential credential(
      ModelSettings settings, ModelCatalogue catalogue, String name) {
    Secret secret = settings.credentials().get(name);
    if (secret == null || secret.value().isEmpty()) {
      return Credential.none();
    }
    return speaksMessages(catalogue, name)
        ? Upstream.keyHeader(secret.value())
        : Credential.bearer(secret.value());
  }

  private static boolean speaksMessages(ModelCatalogue catalogue, String upstream) {
    return at(catalogue, upstream).anyMatch(model -> model.source().protocol() == Dialect.MESSAGES);
  }

  private static Stream<Model> at(ModelCatalogue catalogue, String upstream) {
    return catalogue.live().stream().filter(model -> model.source().upstream().equals(upstream));
  }
}
