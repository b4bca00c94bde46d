package dev.octroi.api.settings;

import dev.octroi.payments.Usd;
import java.net.URI;
import java.util.Optional;

/** Sandbox money, and the upstreams that cost nothing, {@code gateway.sandbox}. */
public record SandboxSettings(
    @Setting(
            about =
                "Where `octroi.jar sandbox` listens, such as `http://127.0.0.1:8403`: it is then"
                    + " the upstream of every group, unless a stronger setting names another.")
        Optional<URI> url,
    @Setting(about = "Dollars that a payer seen for the first time has.", value = "1000")
        Usd startingBalance,
    @Setting(
            about =
                "Serves real upstreams, or a public address, for worthless money. Anybody can then"
                    + " spend your vendors' credit without paying.",
            value = "false")
        boolean allowLiveUpstreamsOrPublicAddressWithWorthlessMoney) {

  public SandboxSettings {
    if (url.isPresent() && !url.get().getPath().matches("/?")) {
      throw new IllegalArgumentException("url is an address without a path");
    }
  }
}
