package dev.octroi.api.setup;

import dev.octroi.api.group.Upstream;
import dev.octroi.api.http.OwnHosts;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.PaymentSettings.Mode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * Worthless money is for trying things out on one's own machine: with it, the gateway does not
 * start on an upstream that might cost somebody money, nor where strangers could reach it.
 *
 * <p>An upstream is taken for the sandbox if it is on the loopback address: a claim that an answer
 * could make is not proof, and a name could resolve to anything.
 */
public final class SandboxSafety {

  static final String DANGER =
      "gateway.sandbox.allow-live-upstreams-or-public-address-with-worthless-money";

  /** Enough where the upstreams are the sandbox's: strangers cost then nothing but the machine. */
  static final String PUBLIC = "gateway.sandbox.public-address";

  private SandboxSafety() {}

  /**
   * Whether worthless money is served on a loopback address: web pages of other sites are then kept
   * from it.
   */
  public static boolean isLocal(GatewaySettings settings) {
    return settings.payments().mode() == Mode.SANDBOX
        && OwnHosts.isLoopback(settings.http().bindAddress());
  }

  /** What forbids the start, one sentence each; empty if nothing does. */
  public static List<String> problems(GatewaySettings settings, List<Upstream> upstreams) {
    List<String> problems = new ArrayList<>();
    if (settings.payments().mode() != Mode.SANDBOX
        || settings.sandbox().allowLiveUpstreamsOrPublicAddressWithWorthlessMoney()) {
      return problems;
    }
    for (Upstream upstream : upstreams) {
      URI address = upstream.settings().base();
      if (!OwnHosts.isLoopback(address.getHost())) {
        problems.add(refused(upstream.address(), address.toString(), "the sandbox's", DANGER));
      }
    }
    if (settings.sandbox().publicAddress()) {
      return problems;
    }
    String bound = settings.http().bindAddress();
    if (!OwnHosts.isLoopback(bound)) {
      problems.add(refused("gateway.http.bind-address", bound, "127.0.0.1", PUBLIC));
    }
    settings
        .http()
        .publicUrl()
        .map(URI::getHost)
        .filter(host -> !OwnHosts.isLoopback(host))
        .ifPresent(
            host ->
                problems.add(
                    refused("gateway.http.public-url", host, "a loopback address", PUBLIC)));
    return problems;
  }

  private static String refused(String setting, String value, String instead, String allowing) {
    return setting
        + " is "
        + value
        + ", but the money is the sandbox's and worthless: set it to "
        + instead
        + ", or accept the danger with "
        + allowing
        + "=true";
  }
}
