package dev.octroi.api.phone;

/** The states of a lease (decisions, automatic renewal), with their codes in the database. */
enum LeaseState {
  ACTIVE(1),
  /** Its term is over and nothing is paid for the next; kept for the days of grace. */
  RENEWAL_DUE(2),
  /** Its grace is over too. */
  EXPIRED(3),
  /** Its owner has cancelled it. */
  RELEASED(4);

  private final int code;

  LeaseState(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  static LeaseState of(int code) {
    return values()[code - 1];
  }

  /** Whether an owner holds the number. */
  boolean isHeld() {
    return this == ACTIVE || this == RENEWAL_DUE;
  }
}
