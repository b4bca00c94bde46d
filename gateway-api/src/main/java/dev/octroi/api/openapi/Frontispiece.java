package dev.octroi.api.openapi;

import dev.octroi.api.group.Group;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.servers.Server;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * What the description says of the whole.
 *
 * @param sandbox whether the money is worthless
 * @param address what callers use; without it, addresses are relative to the description's own
 * @param ownPrefix below which the gateway's own paths lie, the address's end; or empty
 */
public record Frontispiece(boolean sandbox, Optional<URI> address, String ownPrefix) {

  private static final String ABOUT =
      """
      A pay-per-call gateway. Ask, and the answer is **402** with a price and the ways to pay (x402); \
      sign one of them and ask again with `PAYMENT-SIGNATURE`. Or send an API key, whose wallet the \
      gateway keeps. What is not answered with success is not charged, and the same payment may be \
      sent again.

      * Paths are also served below `/api/v1`; prediction markets also at `/v1/prediction`.
      * The charge is `price.amount` of a JSON object answer, and `X-Price-Amount` of every paid answer.
      * An unpaid call gets its 402 before its parameters are looked at, unless they decide the price.
      * HEAD on a paid path is 405 and never charged.
      """;

  private static final String SANDBOX =
      "\nThis is a **sandbox**: upstreams are made up and the money is worthless.\n";

  Info info() {
    String version = Frontispiece.class.getPackage().getImplementationVersion();
    return new Info()
        .title("Octroi")
        .version(version == null ? "development" : version)
        .description(sandbox ? ABOUT + SANDBOX : ABOUT)
        .license(new License().name("Apache-2.0").identifier("Apache-2.0"));
  }

  List<Server> servers() {
    return List.of(new Server().url(address.map(URI::toString).orElse("./")));
  }

  /** The server of a group that lies beside the gateway's own paths; empty for all others. */
  Optional<Server> serverOf(Group group) {
    String own = address.map(URI::toString).orElse(ownPrefix);
    String there = group.address(own);
    if (there.equals(own)) {
      return Optional.empty();
    }
    String up = "../".repeat((int) ownPrefix.chars().filter(c -> c == '/').count());
    return Optional.of(new Server().url(address.isPresent() ? there : up));
  }
}
