package dev.octroi.reference.process;

/**
 * Where a paid call is killed, in the order in which the call passes: a method, and whether it is
 * entered or left.
 */
enum KillPoint {
  BEFORE_THE_CLAIM("ledger.jdbc.JdbcLedger", "claim", false, Fate.NEVER_SEEN),
  CLAIM_WRITTEN_NOT_COMMITTED("ledger.jdbc.Claims", "run", true, Fate.NEVER_SEEN),
  CLAIM_COMMITTED("flow.PaymentFlow", "begin", false, Fate.UNCHARGED),
  UPSTREAM_ASKED("services.upstream.UpstreamClient", "sendAsync", true, Fate.UNCHARGED),
  UPSTREAM_ANSWERED("services.upstream.UpstreamAnswer", "<init>", true, Fate.UNCHARGED),
  BEFORE_SETTLEMENT("ledger.jdbc.JdbcLedger", "settleHere", false, Fate.UNCHARGED),
  SETTLEMENT_WRITTEN_NOT_COMMITTED("ledger.jdbc.Batch", "storeAnswers", true, Fate.UNCHARGED),
  SETTLEMENT_COMMITTED_NO_CALL_TOLD("ledger.jdbc.EndCompletion", "done", false, Fate.CHARGED),
  SETTLED("flow.Settler", "atOnce", true, Fate.CHARGED),
  /** Only a charged answer has a receipt; a refusal is written by the same interceptor. */
  BEFORE_THE_ANSWER_LEFT("flow.Receipts", "put", true, Fate.CHARGED),
  ANSWER_FLUSHED("flow.Settler", "delivered", false, Fate.CHARGED_AND_ANSWERED),
  /** The node writes what no other commit has taken along. */
  DELIVERY_WRITTEN_NOT_COMMITTED("ledger.jdbc.CallWork", "run", false, Fate.CHARGED_AND_ANSWERED);

  /** What must stand in the database of a payment whose call was killed. */
  enum Fate {
    NEVER_SEEN,
    UNCHARGED,
    CHARGED,
    /** The answer may have arrived, and may be had again. */
    CHARGED_AND_ANSWERED;

    boolean isCharged() {
      return this == CHARGED || this == CHARGED_AND_ANSWERED;
    }
  }

  private final String type;
  private final String method;
  private final boolean left;
  private final Fate fate;

  KillPoint(String type, String method, boolean left, Fate fate) {
    this.type = "dev.octroi." + (type.startsWith("services") ? "" : "payments.") + type;
    this.method = method;
    this.left = left;
    this.fate = fate;
  }

  String type() {
    return type;
  }

  String method() {
    return method;
  }

  boolean whenLeft() {
    return left;
  }

  Fate fate() {
    return fate;
  }

  /** Whether the call had asked the upstream. */
  boolean isAfterUpstream() {
    return compareTo(UPSTREAM_ANSWERED) >= 0;
  }
}
