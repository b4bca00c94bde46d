package dev.octroi.sandbox.phone;

import java.util.Arrays;

/** Numbers whose last four digits make a lookup go wrong, or worrying. */
enum MagicNumber {
  /** 200 and {@code valid:false}. */
  INVALID("0190"),
  /** 200, and each package has failed. */
  NOTHING_KNOWN("0191"),
  /** A score of 97, a swapped SIM, calls forwarded. */
  RISKY("0192"),
  /** 200, and what tells about fraud has failed. */
  CARRIER_ONLY("0193"),
  /** 500. */
  FAILING("0194"),
  NONE("");

  private final String end;

  MagicNumber(String end) {
    this.end = end;
  }

  static MagicNumber of(String number) {
    return Arrays.stream(values()).filter(it -> number.endsWith(it.end)).findFirst().orElse(NONE);
  }
}
