package dev.octroi.sandbox.cryptodata;

/** Lengths of time as the vendor writes them. */
final class Spans {

  static final long HOUR = 3_600;
  static final long DAY = 86_400;

  private Spans() {}

  /** Seconds of {@code 5m}, {@code 4h}, {@code 7d}, {@code 1w}, {@code 1M}, {@code 1y}. */
  static long seconds(String text) {
    if (text.equals("max") || text.equals("all")) {
      return 730 * DAY;
    }
    long count = Long.parseLong(text.substring(0, text.length() - 1));
    return count
        * switch (text.charAt(text.length() - 1)) {
          case 'm' -> 60;
          case 'h' -> HOUR;
          case 'd' -> DAY;
          case 'w' -> 7 * DAY;
          case 'M' -> 30 * DAY;
          default -> 365 * DAY;
        };
  }

  /** The start of the step that a time lies in. */
  static long floor(long second, long step) {
    return second / step * step;
  }
}
