package dev.octroi.api;

import dev.octroi.api.catalogue.Catalogue;
import dev.octroi.api.discovery.DiscoveryServices;
import dev.octroi.api.discovery.Storefront;
import dev.octroi.api.http.OwnHosts;
import dev.octroi.api.http.PageRule;
import dev.octroi.api.image.EditTariff;
import dev.octroi.api.image.ImageTariff;
import dev.octroi.api.language.LanguageTariff;
import dev.octroi.api.mcp.ToolServices;
import dev.octroi.api.music.MusicTariff;
import dev.octroi.api.price.SoldRow;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.payments.Tariff;
import dev.octroi.services.images.ImageRequests;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Lays out what discovery works with. */
record StoreAssembly(Gateway gateway, Services services, Catalogue catalogue) {

  /** What the gateway takes beside a call's own time. */
  private static final Duration MOMENT = Duration.ofSeconds(30);

  DiscoveryServices discovery() {
    Storefront.Selling selling =
        new Storefront.Selling(
            gateway.prices(), this::isOpen, this::tariff, gateway.payments()::accepts);
    Storefront storefront =
        new Storefront(
            catalogue,
            selling,
            gateway.operator().clock().instant().truncatedTo(ChronoUnit.SECONDS));
    GatewaySettings settings = gateway.settings();
    return new DiscoveryServices(
        storefront, settings.discovery(), settings.mcp().enabled(), gateway.isSandbox());
  }

  /** What is sold, as tools. */
  ToolServices tools(DiscoveryServices discovery) {
    GatewaySettings settings = gateway.settings();
    return new ToolServices(
        discovery.storefront(),
        new ToolServices.Terms(
            settings.discovery().serviceName(),
            settings.mcp(),
            gateway.innerCalls(),
            gateway.background().context().longestCall().plus(MOMENT),
            GatewayBuilder.longestAnswer(settings),
            new PageRule(new OwnHosts(settings.http()), settings.mcp().origins())));
  }

  /** Pictures and music are open where their example has a price. */
  private boolean isOpen(SoldRow row) {
    return switch (row.group()) {
      case WEBSEARCH -> gateway.searchGate().isOpen(row.path());
      case SMARTSEARCH -> gateway.webSearch().search().isPresent();
      case PHONE -> gateway.phoneGate().isOpen(row.path());
      case MESSAGES, CHAT -> !services.language().models().served().isEmpty();
      case VOICE -> gateway.voice().open().isPresent();
      default -> true;
    };
  }

  private Tariff tariff(SoldRow row) {
    ImageRequests images = services.pictures().sources().requests();
    return switch (row.group()) {
      case MUSIC -> new MusicTariff(services.music().service());
      case IMAGES ->
          row.path().endsWith("/edits") ? new EditTariff(images) : new ImageTariff(images);
      default -> new LanguageTariff(services.language().models(), Optional.empty());
    };
  }
}
