package dev.octroi.api.wallet;

import dev.octroi.payments.Admission;
import dev.octroi.payments.account.Accounts;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.ContextResolver;
import jakarta.ws.rs.ext.Providers;
import java.time.Clock;
import java.util.List;

/**
 * What the resources of a key's owner work with.
 *
 * @param admission counts who comes without a good key
 */
public record OwnerDesk(Accounts accounts, Funds funds, Admission admission, Clock clock) {

  /** The resource classes, for {@code Application#getClasses}. */
  public static final List<Class<?>> RESOURCES = List.of(WalletResource.class, UsageResource.class);

  /**
   * The desk of an application.
   *
   * @throws IllegalStateException if no gateway is mounted there
   */
  static OwnerDesk of(Providers providers) {
    ContextResolver<OwnerDesk> resolver =
        providers.getContextResolver(OwnerDesk.class, MediaType.WILDCARD_TYPE);
    OwnerDesk desk = resolver == null ? null : resolver.getContext(OwnerDesk.class);
    if (desk == null) {
      throw new IllegalStateException("register a GatewayFeature beside the gateway's resources");
    }
    return desk;
  }
}
