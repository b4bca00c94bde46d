package dev.octroi.api.operator;

import dev.octroi.api.price.PriceBook;
import dev.octroi.api.settings.GatewaySettings;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.ContextResolver;
import jakarta.ws.rs.ext.Providers;
import java.time.Clock;
import java.util.List;

/** What the operator's resources work with. */
public record OperatorDesk(
    GatewaySettings settings, PriceBook prices, BookDesk books, Clock clock) {

  /** The operator's resource classes, for {@code Application#getClasses}. */
  public static final List<Class<?>> RESOURCES =
      List.of(
          PricesResource.class, SettingsResource.class, BooksResource.class, RefundsResource.class);

  /**
   * The desk of an application.
   *
   * @throws IllegalStateException if no gateway is mounted there
   */
  static OperatorDesk of(Providers providers) {
    ContextResolver<OperatorDesk> resolver =
        providers.getContextResolver(OperatorDesk.class, MediaType.WILDCARD_TYPE);
    OperatorDesk desk = resolver == null ? null : resolver.getContext(OperatorDesk.class);
    if (desk == null) {
      throw new IllegalStateException("register a GatewayFeature beside the gateway's resources");
    }
    return desk;
  }
}
