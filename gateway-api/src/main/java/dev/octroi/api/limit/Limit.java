package dev.octroi.api.limit;

import java.util.Locale;

/** What a call can be too many of. */
public enum Limit {
  /** Unpaid calls of an address in a minute. */
  UNPAID_RATE,
  /** A payer's or key's calls in a group and minute. */
  PAYER_RATE,
  /** A payer's or key's calls in a group at the same time. */
  PAYER_IN_FLIGHT,
  /** The calls of all payers and keys in a group at the same time. */
  GROUP_IN_FLIGHT;

  /** How figures name it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
