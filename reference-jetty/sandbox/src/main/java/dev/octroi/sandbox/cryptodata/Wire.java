package dev.octroi.sandbox.cryptodata;

/** The venue words as the vendor's wire needs them; nowhere else do they stand in code. */
final class Wire {

  static final String VENUE_A = "polymarket";
  static final String VENUE_B = "kalshi";

  private Wire() {}

  /** Puts the words into a path or name that was written with their stand-ins. */
  static String word(String text) {
    return text.replace("{venue-a}", VENUE_A).replace("{venue-b}", VENUE_B);
  }
}
