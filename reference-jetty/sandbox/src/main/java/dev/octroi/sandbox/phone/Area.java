package dev.octroi.sandbox.phone;

import java.util.Arrays;

/** Area codes in which purchases go as they go with real vendors on bad days. */
enum Area {
  /** It has two numbers. */
  SCARCE("907"),
  /** The first number that a purchase wants was sold a moment ago. */
  SNAPPED_UP_ONCE("808"),
  /** Every number was sold a moment ago. */
  SNAPPED_UP("605"),
  /** A purchase takes three seconds. */
  SLOW("701"),
  /** The number is sold, and the answer is 500. */
  SOLD_AND_FAILED("406"),
  /** Nothing is sold, and the answer is 500. */
  FAILED("802"),
  /** The number is sold, and there is no answer. */
  SOLD_AND_SILENT("307"),
  /** As it should be. */
  COMMON("");

  private static final int PLENTY = 90;
  private static final int FEW = 2;

  private final String code;

  Area(String code) {
    this.code = code;
  }

  static Area of(String code) {
    return Arrays.stream(values())
        .filter(area -> area.code.equals(code))
        .findFirst()
        .orElse(COMMON);
  }

  /** How many numbers it has when nothing is sold. */
  int size() {
    return this == SCARCE ? FEW : PLENTY;
  }
}
