package dev.octroi.sandbox.music;

import dev.octroi.sandbox.vendor.Seeded;

/**
 * Composes a track that depends on its words alone: a melody of five tones above a bass, and a
 * third voice where something is sung.
 */
final class Composer {

  private static final int[] SCALE = {0, 2, 4, 7, 9, 12, 14, 16};
  private static final int TABLE = 4_096;
  private static final double[] SINE = sine();
  private static final double A = 220;
  private static final double OCTAVE = 12;
  private static final int BAR = 8;

  private final Seeded seeded;
  private final double root;
  private final int noteLength;

  Composer(String prompt, String lyrics) {
    seeded = Seeded.of("track", prompt, lyrics);
    root = A * Math.pow(2, seeded.whole(-5, 6) / OCTAVE);
    noteLength = Wave.SAMPLE_RATE * 30 / (int) seeded.whole(70, 130);
  }

  /** The samples of so many seconds. */
  short[] play(int seconds, boolean sung) {
    int[] tune = new int[4 * BAR];
    for (int note = 0; note < tune.length; note++) {
      tune[note] = seeded.index(SCALE.length);
    }
    double[] sound = new double[seconds * Wave.SAMPLE_RATE];
    for (int note = 0; note * noteLength < sound.length; note++) {
      int step = tune[note % tune.length];
      voice(sound, note * noteLength, noteLength, tone(step, 0), 0.45);
      if (note % 4 == 0) {
        voice(sound, note * noteLength, 4 * noteLength, tone(tune[note % BAR], -2), 0.35);
      }
      if (sung && note % 2 == 0) {
        voice(sound, note * noteLength, 2 * noteLength, tone(step, 1), 0.2);
      }
    }
    return samples(sound);
  }

  private double tone(int step, int octaves) {
    return root * Math.pow(2, octaves + SCALE[step] / OCTAVE);
  }

  private static void voice(double[] sound, int from, int length, double hertz, double volume) {
    int until = Math.min(sound.length, from + length);
    double turn = hertz * TABLE / Wave.SAMPLE_RATE;
    for (int at = from; at < until; at++) {
      double fading = 1 - (double) (at - from) / length;
      sound[at] += volume * fading * SINE[(int) ((at - from) * turn) & (TABLE - 1)];
    }
  }

  private static short[] samples(double[] sound) {
    short[] samples = new short[sound.length];
    for (int at = 0; at < sound.length; at++) {
      samples[at] = (short) Math.round(sound[at] * Short.MAX_VALUE * 0.9);
    }
    return samples;
  }

  private static double[] sine() {
    double[] table = new double[TABLE];
    for (int at = 0; at < TABLE; at++) {
      table[at] = StrictMath.sin(2 * Math.PI * at / TABLE);
    }
    return table;
  }
}
