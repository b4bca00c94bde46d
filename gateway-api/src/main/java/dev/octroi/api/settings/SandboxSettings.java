package dev.octroi.api.settings;

import dev.octroi.payments.Usd;
import java.net.URI;
import java.util.List;
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
                "Serves real upstreams, or a public address, for worthless money. Any caller can then"
                    + " spend your vendors' credit without paying.",
            value = "false")
        boolean allowLiveUpstreamsOrPublicAddressWithWorthlessMoney,
    @Setting(
            about =
                "Origins of web pages of other machines that may use sandbox money on a loopback"
                    + " address, comma-separated, such as `https://shop.example`. Pages of this"
                    + " machine and of the gateway's own hosts may anyway. `*` lets every page on"
                    + " the web that a browser on this machine opens use it, under any host.")
        List<String> allowedOrigins) {

  public SandboxSettings {
    for (String origin : allowedOrigins) {
      if (!origin.matches("\\*|null|[a-z][a-z0-9+.-]*://[^/?#@\\s]+")) {
        throw new IllegalArgumentException(
            "allowed-origins are such as https://shop.example, without a path");
      }
    }
    if (url.isPresent() && !url.get().getPath().matches("/?")) {
      throw new IllegalArgumentException("url is an address without a path");
    }
  }
}
