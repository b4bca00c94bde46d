package dev.octroi.api.wallet;

import dev.octroi.api.house.Mounted;
import dev.octroi.payments.Admission;
import dev.octroi.payments.account.Accounts;
import jakarta.ws.rs.ext.Providers;
import java.time.Clock;
import java.util.List;

/**
 * What the resources of a key's owner work with.
 *
 * @param admission counts who comes without a good key
 */
public record OwnerServices(Accounts accounts, Funds funds, Admission admission, Clock clock) {

  /** The resource classes, for {@code Application#getClasses}. */
  public static final List<Class<?>> RESOURCES = List.of(WalletResource.class, UsageResource.class);

  /**
   * The services that are mounted in an application.
   *
   * @throws IllegalStateException if no gateway is mounted there
   */
  static OwnerServices of(Providers providers) {
    return Mounted.of(providers, OwnerServices.class);
  }
}
