package dev.octroi.api.settings;

import dev.octroi.payments.Usd;
import dev.octroi.payments.facilitator.HttpFacilitator.HttpFacilitatorSettings;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Remote facilitators, and the facilitator that this gateway is to others. */
public record FacilitatorSettings(
    @Setting(
            about =
                "With `mode=remote`: base addresses of x402 facilitators, 1 to 8, comma-separated,"
                    + " asked in this order. The next one is asked only if one cannot verify; the"
                    + " one that verified settles.")
        List<URI> urls,
    @Setting(
            about =
                "How the gateway proves to them who it is: not at all, by `token`, or by a JWT for"
                    + " each request, signed with `key`. All of them are told the same.",
            value = "none")
        Auth auth,
    @Setting(about = "The bearer token.") Secret token,
    @Setting(about = "What the facilitator calls the key that signs JWTs (`kid` and `sub`).")
        String keyId,
    @Setting(
            about =
                "The key that signs JWTs: an EC key on P-256 in PEM (ES256), or an Ed25519 key of"
                    + " 32 or 64 bytes in base64 (EdDSA). `\\n` may stand for line breaks.")
        Secret key,
    @Setting(about = "The issuer of the JWTs (`iss`).", value = "octroi") String issuer,
    @Setting(about = "The audience of the JWTs (`aud`), comma-separated; none unless set.")
        List<String> audience,
    @Setting(about = "How long a connection to a facilitator may take to open.", value = "2s")
        Duration connectTimeout,
    @Setting(about = "How long one facilitator may take to verify.", value = "5s")
        Duration verifyTimeout,
    @Setting(
            about =
                "How long it may take to settle. Beyond that the payment is in doubt, and the"
                    + " payer is told to send the same again.",
            value = "30s")
        Duration settleTimeout,
    @Setting(about = "How often facilitators are asked what they support.", value = "60s")
        Duration refresh,
    @Setting(
            about =
                "How long what a facilitator supports is believed while it does not say so; then"
                    + " its Solana offer disappears.",
            value = "5min")
        Duration forgetAfter,
    @Setting(about = "The longest answer of a facilitator.", value = "64KiB") DataSize maxAnswer,
    @Setting(
            about =
                "Dollars that a payer may have in calls that have not settled, where the"
                    + " facilitator tells no balance. A single call may cost more.",
            value = "1")
        Usd unsettledPerPayer,
    @Setting(
            about =
                "Serves `/facilitator/verify`, `/facilitator/settle` and `/facilitator/supported`"
                    + " to other x402 servers.",
            value = "false")
        boolean serve,
    @Setting(
            about =
                "The bearer token that they must send, at least 16 characters. Without it any server"
                    + " may settle, and with `mode=chain` for your gas. Ceilings (scheme `upto`) are"
                    + " taken only with a token: its holder says what is charged. So are channels"
                    + " (scheme `batch-settlement`): its holder may have them refunded.")
        Secret serveToken,
    @Setting(
            about = "Requests per minute and client address to the served facilitator.",
            value = "1200")
        @Min(1)
        @Max(10_000_000)
        int servePerMinute) {

  private static final int LEAST_TOKEN = 16;

  /** Who the gateway is to remote facilitators. */
  public enum Auth {
    NONE,
    BEARER,
    JWT
  }

  public FacilitatorSettings {
    if (!serveToken.value().isEmpty() && serveToken.value().length() < LEAST_TOKEN) {
      throw new IllegalArgumentException("serve-token has at least 16 characters");
    }
  }

  /** What keeps remote facilitators from being asked, one sentence each. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (urls.isEmpty()) {
      problems.add("gateway.facilitator.urls is not set, and gateway.payments.mode is remote");
    } else {
      try {
        remote();
      } catch (IllegalArgumentException e) {
        problems.add("gateway.facilitator: " + e.getMessage());
      }
    }
    if (auth == Auth.BEARER && token.value().isEmpty()) {
      problems.add("gateway.facilitator.token is not set, and gateway.facilitator.auth is bearer");
    }
    if (auth == Auth.JWT && (key.value().isEmpty() || keyId.isEmpty())) {
      problems.add(
          "gateway.facilitator.key and key-id are not both set, and gateway.facilitator.auth is"
              + " jwt");
    }
    return problems;
  }

  /** How remote facilitators are asked. */
  public HttpFacilitatorSettings remote() {
    return new HttpFacilitatorSettings(
        urls,
        connectTimeout,
        verifyTimeout,
        settleTimeout,
        refresh,
        forgetAfter,
        maxAnswer.length());
  }
}
