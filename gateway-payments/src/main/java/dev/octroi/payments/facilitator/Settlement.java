package dev.octroi.payments.facilitator;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How an attempt to move money ended. */
public sealed interface Settlement {

  /** The money has moved. */
  record Settled(String transaction) implements Settlement {}

  /**
   * The transaction is stored and on its way, and the facilitator that sent it follows it to its
   * end: the answer may leave, and the payment stays SETTLING until the chain has decided (money
   * rule 11).
   */
  record Sent(String transaction) implements Settlement {}

  /**
   * Nothing was sent nor stored for sending, such as when no relayer has gas: the same payment is
   * as good as before, and given back uncharged.
   */
  record Unsent(String reason) implements Settlement {}

  /** It certainly has not moved and will not. */
  record Refused(String reason) implements Settlement {}

  /**
   * Whether it has moved is not known: a timeout, a broken connection, a pending transaction. The
   * payment is in doubt.
   */
  record Unknown(String reason, @Nullable String transaction) implements Settlement {}

  /** The transaction that an answer may leave on; empty where none may leave. */
  default Optional<String> deliverable() {
    if (this instanceof Settled settled) {
      return Optional.of(settled.transaction());
    }
    return this instanceof Sent sent ? Optional.of(sent.transaction()) : Optional.empty();
  }
}
