package dev.octroi.services.language.route;

/** How hard a request is, by signs that can be seen before it runs. */
enum Demand {
  SIMPLE,
  ORDINARY,
  HARD;

  /** Some 8,000 tokens. */
  private static final long LONG = 32_000;

  /** Some 64,000 tokens. */
  private static final long VERY_LONG = 256_000;

  private static final int ORDINARY_POINTS = 1;
  private static final int HARD_POINTS = 3;

  /**
   * One point each for a long text, tools, pictures or documents, and code; two for reasoning, and
   * for a very long text. None is simple, three are hard.
   */
  static Demand of(RequestTraits traits) {
    int points = 0;
    points += traits.length() > VERY_LONG ? 2 : traits.length() > LONG ? 1 : 0;
    points += traits.tools() ? 1 : 0;
    points += traits.pictures() || traits.documents() ? 1 : 0;
    points += traits.code() ? 1 : 0;
    points += traits.thinking() || traits.puzzle() ? 2 : 0;
    return points >= HARD_POINTS ? HARD : points >= ORDINARY_POINTS ? ORDINARY : SIMPLE;
  }
}
