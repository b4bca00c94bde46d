package dev.octroi.services.music;

import java.util.Optional;

/**
 * A track as it is asked for.
 *
 * @param prompt genre, mood and tempo, 1 to {@value #LONGEST_PROMPT} characters
 * @param lyrics 1 to {@value #LONGEST_LYRICS} characters; empty where none were given or nothing is
 *     to be sung
 * @param seconds how long it should be, 1 to {@value #LONGEST_SECONDS}
 */
public record TrackOrder(
    MusicModel model, String prompt, boolean instrumental, Optional<String> lyrics, int seconds) {

  public static final int LONGEST_PROMPT = 2_000;
  public static final int LONGEST_LYRICS = 3_500;
  public static final int LONGEST_SECONDS = 180;
}
