package dev.octroi.api.settings;

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
    @Setting(about = "How long leases that have ended are kept.", value = "400d")
        Duration retention) {

  public PhoneSettings {
    if (retention.toDays() < 1) {
      throw new IllegalArgumentException("retention is 1d or longer");
    }
  }
}
