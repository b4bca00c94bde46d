package dev.octroi.api.settings;

import dev.octroi.payments.Usd;
import dev.octroi.services.phone.PhoneNumber;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

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
    @Setting(
            about =
                "What the vendor bills you for one part of a text, in dollars, by the country that it"
                    + " goes to (ISO 3166, in small letters) or by the first digits of the number, of"
                    + " which the most go first: a text costs no less than its parts. Texts to other"
                    + " countries are 400, and those to personal and satellite numbers, whose digits"
                    + " have no rate. The defaults are public prices of 2026 with what carriers add"
                    + " at most, as far as that is known: give yours.",
            value = "us=0.0145,ca=0.0168")
        Map<String, Usd> textRates,
    @Setting(
            about =
                "Parts that a text may take: 160 characters of GSM-7, or 153 of each of several; 70"
                    + " and 67 where a character is of no GSM-7. A longer text is 400.",
            value = "3")
        @Min(1)
        @Max(24)
        int textParts,
    @Setting(about = "How long leases that have ended are kept.", value = "400d")
        Duration retention) {

  public PhoneSettings {
    if (retention.toDays() < 1) {
      throw new IllegalArgumentException("retention is 1d or longer");
    }
    if (!textRates.keySet().stream().allMatch(PhoneNumber::isPlace)) {
      throw new IllegalArgumentException(
          "text-rates are by country or first digits, such as text-rates.gb or text-rates.447");
    }
  }

  /** What a part of a text to this number is billed; empty where no texts go there. */
  public Optional<Usd> textRate(PhoneNumber to) {
    return to.in(textRates);
  }
}
