package dev.octroi.api.settings;

import dev.octroi.payments.Usd;
import dev.octroi.services.phone.PhoneNumber;
import jakarta.validation.constraints.NotBlank;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is special about calls, {@code gateway.voice}. */
public record VoiceSettings(
    @Setting(
            about = "The voices that may be asked for, as the vendor names them; any other is 400.",
            value = "nat,josh,maya,june,paige,derek,florian")
        List<String> presets,
    @Setting(about = "The voice that speaks where none is asked for.", value = "nat") @NotBlank
        String preset,
    @Setting(
            about =
                "The vendor's key for the carrier that numbers are leased from: the vendor gives"
                    + " it for the carrier's account. Without it no calls are sold, for the vendor"
                    + " calls from no numbers but its own.")
        Secret encryptedKey,
    @Setting(
            about =
                "What the vendor bills you for a minute of a call, in dollars: the price of a call is"
                    + " never below that for its `max_duration`. With 0 it is the listed one, however"
                    + " long. The profile `live` has the vendor's public rate without a plan.",
            value = "0")
        Usd minuteRate,
    @Setting(
            about =
                "What the carrier bills you for a minute of a call besides, in dollars, by the country"
                    + " that is called (ISO 3166, in small letters) or by the first digits of the"
                    + " number, of which the most go first: a call and a transfer cost no less than"
                    + " their longest duration. Calls to other countries are 400, and those to"
                    + " premium, personal, shared-cost and satellite numbers, whose digits have no"
                    + " rate. The defaults are public prices of 2026: give yours.",
            value = "us=0.014,ca=0.014")
        Map<String, Usd> callRates,
    @Setting(
            about =
                "What the vendor signs its messages with (HMAC-SHA256 of the body). With it and"
                    + " `gateway.http.public-url`, the vendor tells `/v1/webhooks/voice` of ended"
                    + " calls; without it, it is only asked.")
        Secret webhookSecret,
    @Setting(
            about =
                "How long transcripts and recordings' addresses are kept after a call's end, 1h or"
                    + " longer.",
            value = "30d")
        Duration transcripts,
    @Setting(
            about = "How long a call's record is kept after its end, 1h or longer.",
            value = "400d")
        Duration retention) {

  public VoiceSettings {
    if (!presets.contains(preset)) {
      throw new IllegalArgumentException("preset is one of presets");
    }
    if (!encryptedKey.value().matches("[!-~]*")) {
      throw new IllegalArgumentException("encrypted-key has letters, digits and signs only");
    }
    if (!callRates.keySet().stream().allMatch(PhoneNumber::isPlace)) {
      throw new IllegalArgumentException(
          "call-rates are by country or first digits, such as call-rates.gb or call-rates.447");
    }
    if (transcripts.toHours() < 1 || retention.toHours() < 1) {
      throw new IllegalArgumentException("transcripts and retention are 1h or longer");
    }
  }

  /** What the carrier bills for a minute of a call to this number; empty where no calls go. */
  public Optional<Usd> callRate(PhoneNumber to) {
    return to.in(callRates);
  }
}
