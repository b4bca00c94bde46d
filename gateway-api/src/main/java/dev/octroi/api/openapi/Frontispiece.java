package dev.octroi.api.openapi;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.octroi.api.group.Group;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.servers.Server;
import java.util.List;
import java.util.Optional;

/**
 * What the description says of the whole.
 *
 * @param sandbox whether the money is worthless
 * @param ownPrefix below which the gateway's own paths lie, the address's end; or empty
 */
public record Frontispiece(boolean sandbox, String ownPrefix) {

  /** Stands for the address until a caller's is known. */
  private static final String ROOT = "urn:octroi:root";

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
    return List.of(new Server().url(ROOT + ownPrefix));
  }

  /** The server of a group that lies beside the gateway's own paths; empty for all others. */
  Optional<Server> serverOf(Group group) {
    String own = ROOT + ownPrefix;
    String there = group.address(own);
    return there.equals(own) ? Optional.empty() : Optional.of(new Server().url(there));
  }

  /**
   * A document for those who know the application by an address.
   *
   * @param base the address, without a slash at its end
   */
  String at(String base, String document) {
    String root =
        base.endsWith(ownPrefix) ? base.substring(0, base.length() - ownPrefix.length()) : base;
    return document.replace(ROOT, new String(JsonStringEncoder.getInstance().quoteAsString(root)));
  }
}
