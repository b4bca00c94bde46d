package dev.octroi.api.voice;

import dev.octroi.api.settings.VoiceSettings;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.phone.PhoneNumber;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What calls are placed under.
 *
 * @param limit how long the vendor may take for one answer
 * @param certainAfter how long after an order was noted what the vendor does not know of it cannot
 *     come into being any more
 * @param webhook where the vendor is to tell of a call's end; empty: it is asked
 */
public record VoiceTerms(
    VoiceSettings settings, Duration limit, Duration certainAfter, Optional<URI> webhook) {

  /** The path of {@link #webhook} below the gateway's base address. */
  public static final String WEBHOOK_PATH = "/v1/webhooks/voice";

  /**
   * Lets pass what the price covers.
   *
   * @throws Failure 400 {@code invalid_phone_number} for a number whose calls have no rate
   */
  void requireRate(PhoneNumber to) {
    if (settings.callRate(to).isEmpty()) {
      throw new Failure(
          ErrorCode.INVALID_PHONE_NUMBER,
          "to is of a country or a kind that this gateway does not call: " + to.region());
    }
  }

  Voices voices() {
    return new Voices(settings.presets(), settings.preset());
  }

  Optional<WebhookSeal> seal() {
    return Optional.of(settings.webhookSecret().value())
        .filter(secret -> !secret.isEmpty())
        .map(WebhookSeal::new);
  }

  /**
   * The voices that may be asked for (decisions, voice presets).
   *
   * @param presets as callers name them
   * @param preset what speaks where none is asked for
   */
  record Voices(List<String> presets, String preset) {

    /**
     * The voice that is asked for.
     *
     * @throws Failure 400 {@code invalid_params} for one that is not on the list
     */
    String of(Optional<String> asked) {
      String voice = asked.orElse(preset);
      if (!presets.contains(voice)) {
        throw Failure.invalid("voice is one of " + String.join(", ", presets));
      }
      return voice;
    }
  }
}
