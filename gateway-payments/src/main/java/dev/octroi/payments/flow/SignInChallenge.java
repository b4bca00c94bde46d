package dev.octroi.payments.flow;

import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.ledger.SignInNonces;
import dev.octroi.payments.x402.Challenges.OfferExtensions;
import dev.octroi.payments.x402.Extensions;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.SignInMessage;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a challenge says of signing in with a wallet: the message that is to be signed but for who
 * signs it. Writes nothing down.
 */
record SignInChallenge(SignInNonces nonces, Clock clock) implements OfferExtensions {

  private static final String STATEMENT = "Sign in to see again what you paid for.";

  /** A longer address would take the room of the offers, so that the message names its server. */
  private static final int MAX_ADDRESS = 400;

  private static final Map<String, Object> SCHEMA =
      Map.of(
          "type",
          "object",
          "required",
          List.of(
              "domain",
              "address",
              "uri",
              "version",
              "chainId",
              "type",
              "nonce",
              "issuedAt",
              "signature"));

  @Override
  public Extensions of(String resourceUrl, List<PaymentRequirements> accepts) {
    return Extensions.of(Map.of(SignInMessage.EXTENSION, said(resourceUrl, accepts)));
  }

  /** The extension itself. */
  Map<String, Object> said(String resourceUrl, List<PaymentRequirements> accepts) {
    ChallengedAddress address = ChallengedAddress.of(resourceUrl);
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    String uri = address.text().length() > MAX_ADDRESS ? address.origin() + "/" : address.text();
    Map<String, Object> info = new LinkedHashMap<>();
    info.put("domain", address.domain());
    info.put("uri", uri);
    info.put("version", "1");
    info.put("nonce", nonces.next(address.text(), now));
    info.put("issuedAt", now.toString());
    info.put("expirationTime", now.plus(SignInNonces.LIFE).toString());
    info.put("statement", STATEMENT);
    info.put("resources", List.of(uri));
    Map<String, Object> said = new LinkedHashMap<>();
    said.put("info", info);
    said.put(
        "supportedChains",
        accepts.stream()
            .map(PaymentRequirements::network)
            .distinct()
            .map(network -> Map.of("chainId", network, "type", type(network)))
            .toList());
    said.put("schema", SCHEMA);
    return said;
  }

  static String type(String network) {
    return switch (ChainFamily.of(network)) {
      case EVM -> "eip191";
      case SOLANA -> "ed25519";
    };
  }

  /**
   * The address that a request is challenged at, without its query: by the gateway's own word,
   * never by the message's.
   *
   * @param text all of it
   * @param origin scheme and domain
   * @param domain host and port as browsers spell them
   */
  record ChallengedAddress(String text, String origin, String domain) {

    static ChallengedAddress of(String resourceUrl) {
      int query = resourceUrl.indexOf('?');
      String text = query < 0 ? resourceUrl : resourceUrl.substring(0, query);
      int host = text.indexOf("://") + "://".length();
      int path = text.indexOf('/', host);
      String scheme = text.substring(0, host).toLowerCase(Locale.ROOT);
      String stated = path < 0 ? text.substring(host) : text.substring(host, path);
      String port = scheme.equals("https://") ? ":443" : ":80";
      String domain = stated.toLowerCase(Locale.ROOT);
      if (domain.endsWith(port)) {
        domain = domain.substring(0, domain.length() - port.length());
      }
      return new ChallengedAddress(text, scheme + domain, domain);
    }
  }
}
