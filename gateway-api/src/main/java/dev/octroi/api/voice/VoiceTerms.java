package dev.octroi.api.voice;

import dev.octroi.api.settings.VoiceSettings;
import java.net.URI;
import java.time.Duration;
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

  Voices voices() {
    return new Voices(settings.presets(), settings.preset());
  }

  Optional<WebhookSeal> seal() {
    return Optional.of(settings.webhookSecret().value())
        .filter(secret -> !secret.isEmpty())
        .map(WebhookSeal::new);
  }
}
