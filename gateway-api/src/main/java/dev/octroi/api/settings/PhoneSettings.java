package dev.octroi.api.settings;

import dev.octroi.payments.Usd;
import jakarta.validation.constraints.NotBlank;
import java.time.Duration;

/** What is special about phone numbers, {@code gateway.phone}. */
public record PhoneSettings(
    @Setting(
            about =
                "Whether texts are sent, by the vendor that leases the numbers; otherwise"
                    + " `sms/send` is 503 `sms_unavailable`, uncharged.",
            value = "false")
        boolean sms,
    @Setting(
            about = "What records of leases call the chain of `gateway.payments.network`.",
            value = "base")
        @NotBlank
        String chain,
    @Setting(
            about = "What records of leases call the chain of `gateway.solana.network`.",
            value = "solana")
        @NotBlank
        String solanaChain,
    @Setting(
            about =
                "What the vendor bills you for the line type and the caller's name, in dollars: a"
                    + " `lookup` costs no less. The profile `live` has the vendor's public prices.",
            value = "0")
        Usd lookupRate,
    @Setting(
            about =
                "What the vendor bills you for these and for SIM swap, call forwarding and SMS"
                    + " pumping: a `lookup/fraud` costs no less. The prices of two of these are by"
                    + " country and not public.",
            value = "0")
        Usd fraudRate,
    @Setting(about = "How long leases that have ended are kept.", value = "400d")
        Duration retention) {

  public PhoneSettings {
    if (retention.toDays() < 1) {
      throw new IllegalArgumentException("retention is 1d or longer");
    }
  }
}
