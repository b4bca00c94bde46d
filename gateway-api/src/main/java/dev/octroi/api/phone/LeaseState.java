package dev.octroi.api.phone;

/** The states of a lease (decisions, automatic renewal). */
enum LeaseState {
  ACTIVE,
  /** Its term is over and nothing is paid for the next; kept for the days of grace. */
  RENEWAL_DUE,
  /** Its grace is over too. */
  EXPIRED,
  /** Its owner has cancelled it. */
  RELEASED;

  /** Whether an owner holds the number. */
  boolean isHeld() {
    return this == ACTIVE || this == RENEWAL_DUE;
  }
}
