package dev.octroi.api.language;

import dev.octroi.api.group.BuiltInGroup;
import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.ConfiguredGroup.GroupLimits;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.Group.ErrorShape;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldModels;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.Upstream;
import dev.octroi.api.language.SmartSearchResource.SmartSearchService;
import dev.octroi.api.language.SmartSearchResource.SmartSearchTariff;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.websearch.WebSearchGroup;
import dev.octroi.payments.Usd;
import dev.octroi.services.language.catalogue.CatalogueFile.InvalidCatalogue;
import dev.octroi.services.language.catalogue.ModelCatalogue;
import dev.octroi.services.language.relay.LanguageModels;
import dev.octroi.services.language.route.Router.Route;
import dev.octroi.services.smartsearch.SmartSearch;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Language models in their vendor's own messages protocol. Opens what the groups of the other
 * protocols and of smart search serve with, too.
 */
public final class MessagesGroup extends BuiltInGroup {

  public MessagesGroup() {
    super(
        new Profile(
            "messages",
            "Messages",
            "Language models in their vendor's own messages protocol, streams included.",
            ErrorShape.MESSAGES,
            List.of(Dialects.MESSAGES),
            Dialects.CODES),
        MessagesResource.class);
  }

  @Override
  public ConfiguredGroup configured(GatewaySettings settings, Clock clock) {
    try {
      return new Configured(
          this, settings, Optional.of(settings.language().models(clock)), List.of());
    } catch (InvalidCatalogue invalid) {
      return new Configured(this, settings, Optional.empty(), invalid.problems());
    }
  }

  /**
   * The group under settings.
   *
   * @param catalogue empty if it cannot be used
   * @param faults why it cannot
   */
  private record Configured(
      Group group,
      GatewaySettings settings,
      Optional<ModelCatalogue> catalogue,
      List<String> faults)
      implements ConfiguredGroup {

    @Override
    public List<SoldRow> rows() {
      return List.of(SoldRow.counted(group, Dialects.MESSAGES));
    }

    @Override
    public List<Upstream> upstreams() {
      return catalogue
          .map(known -> List.copyOf(Models.upstreams(settings.language(), known).values()))
          .orElse(List.of());
    }

    @Override
    public List<SoldModels> models() {
      return catalogue.map(known -> Models.sold(settings.language(), known)).orElse(List.of());
    }

    @Override
    public List<String> problems() {
      List<String> problems = new ArrayList<>();
      faults.forEach(fault -> problems.add("gateway.language.catalogue: " + fault));
      catalogue.ifPresent(known -> check(known, problems));
      return problems;
    }

    private void check(ModelCatalogue known, List<String> problems) {
      for (String name : settings.language().upstreams().keySet()) {
        if (!known.upstreams().contains(name)) {
          problems.add(
              "gateway.language.upstreams."
                  + name
                  + ": the catalogue has no model there; it names "
                  + String.join(", ", known.upstreams()));
        }
      }
      check(known, "websearch.smart-model", settings.websearch().smartModel(), problems);
      if (!settings.cryptodata().isPlain()) {
        String model = settings.cryptodata().questionModel();
        check(known, "cryptodata.question-model", model, problems);
      }
    }

    private static void check(
        ModelCatalogue known, String setting, String model, List<String> problems) {
      if (Route.named(model).isEmpty() && known.find(model).isEmpty()) {
        problems.add("gateway." + setting + ": there is no model " + model);
      }
    }

    @Override
    public List<String> missing() {
      return Dialects.missing(settings);
    }

    @Override
    public GroupLimits limits() {
      return Dialects.limits(settings, group);
    }

    @Override
    public OpenGroup open(GroupContext context) {
      LanguageModels models = Models.of(settings.language(), context);
      Optional<SmartSearch> search =
          WebSearchGroup.vendor(settings, context)
              .map(
                  vendor ->
                      new SmartSearch(
                          vendor, models, settings.websearch().smartModel(), context.clock()));
      Usd price = settings.prices().smartSearch();
      return OpenGroup.of(
              new LanguageService(
                  models,
                  ModelList.of(models, settings, search.isPresent()),
                  settings.language().deadline(),
                  context.deadlines(),
                  new SmartSearchService(search, context.bodies())))
          .with(new LanguageTariff(models, search.map(open -> price)), new SmartSearchTariff(price))
          .withWarmUp(models::warmUp);
    }
  }
}
