package dev.octroi.api.voice;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WebhookSealTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
  private static final byte[] BODY = "{\"call_id\":\"c-1\"}".getBytes(StandardCharsets.UTF_8);

  /** HMAC-SHA256 of the body alone, and of {@code 1800000000.} and the body, under {@code key}. */
  private static final String ALONE =
      "88aea67aacd039958c5f7e695af9f18455614bac116f98eb1ede5c9ec9cc6b9e";

  private static final String TIMED =
      "be3c52ff06ffeac4a9a5aad8191f71a797ebe98dc4c7d15c414673074b16776d";

  private final WebhookSeal seal = new WebhookSeal("key");

  @Test
  void aMessageWithoutATimeIsSignedAlone() {
    assertThat(genuine(BODY, ALONE, null, NOW)).isTrue();
    assertThat(genuine(BODY, ALONE.toUpperCase(Locale.ROOT), null, NOW)).isTrue();
  }

  @Test
  void aMessageWithATimeIsSignedWithItAndMustBeOfNow() {
    assertThat(genuine(BODY, TIMED, "1800000000", NOW)).isTrue();
    assertThat(genuine(BODY, TIMED, "1800000000", NOW.plusSeconds(300))).isTrue();
    assertThat(genuine(BODY, TIMED, "1800000000", NOW.plusSeconds(301))).isFalse();
    assertThat(genuine(BODY, TIMED, "1800000000", NOW.minusSeconds(301))).isFalse();
  }

  @Test
  void aTimeCanNeitherBeTakenAwayNorChangedNorAdded() {
    assertThat(genuine(BODY, TIMED, null, NOW)).isFalse();
    assertThat(genuine(BODY, TIMED, "1800000001", NOW)).isFalse();
    assertThat(genuine(BODY, ALONE, "1800000000", NOW)).isFalse();
  }

  @Test
  void whatIsNotSignedSoIsNotGenuine() {
    byte[] other = "{\"call_id\":\"c-2\"}".getBytes(StandardCharsets.UTF_8);
    assertThat(genuine(other, ALONE, null, NOW)).isFalse();
    assertThat(genuine(BODY, "", null, NOW)).isFalse();
    assertThat(genuine(BODY, "zz" + ALONE.substring(2), null, NOW)).isFalse();
    assertThat(genuine(BODY, "00" + ALONE.substring(2), null, NOW)).isFalse();
    assertThat(genuine(BODY, TIMED, "-1", NOW)).isFalse();
    assertThat(genuine(BODY, TIMED, "999999999999", NOW)).isFalse();
    assertThat(new WebhookSeal("other").isGenuine(BODY, ALONE, Optional.empty(), NOW)).isFalse();
  }

  private boolean genuine(byte[] body, String signature, String time, Instant now) {
    return seal.isGenuine(body, signature, Optional.ofNullable(time), now);
  }
}
