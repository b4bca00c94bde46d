package dev.octroi.services.language.relay;

import java.time.Duration;

/**
 * How models are asked.
 *
 * @param defaultOutput most tokens of an answer whose caller sets no limit; it is quoted and asked
 *     for, so that this caller does not pay for the longest answer that a model could give
 * @param firstByte how long an upstream may take to begin a streamed answer
 * @param idle how long it may then be silent
 * @param pulse how often a silent stream gets a sign of life
 * @param answerBytes longest answer that is no stream
 * @param bareAuto whether {@code auto} alone is a model's name
 */
public record LanguageSettings(
    int defaultOutput,
    Duration firstByte,
    Duration idle,
    Duration pulse,
    int answerBytes,
    boolean bareAuto) {

  /** 4,096 tokens; a minute and a minute; every 15 seconds; 8 MiB. */
  public static LanguageSettings standard() {
    return new LanguageSettings(
        4_096,
        Duration.ofMinutes(1),
        Duration.ofMinutes(1),
        Duration.ofSeconds(15),
        8 << 20,
        false);
  }
}
