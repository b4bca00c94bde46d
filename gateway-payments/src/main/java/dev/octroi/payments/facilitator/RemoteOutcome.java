package dev.octroi.payments.facilitator;

import dev.octroi.payments.x402.FacilitatorMessages;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.SettlementResponse;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a remote facilitator's answer to {@code /settle} means. Only a complete success is {@link
 * Settlement.Settled}, only a reason that rules out a transaction is {@link Settlement.Refused};
 * anything else is {@link Settlement.Unknown} (x402, rules for an uncertain outcome).
 */
final class RemoteOutcome {

  private static final int OK = 200;
  private static final int SERVER_ERROR = 500;

  /** A hash on EVM, or a signature of 64 bytes in base58. */
  private static final Pattern TRANSACTION =
      Pattern.compile("0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,90}|sandbox:[0-9a-f-]{36}");

  private RemoteOutcome() {}

  static Settlement of(RemoteCalls.Reply reply, String network) {
    SettlementResponse answer;
    try {
      answer = FacilitatorMessages.readSettlement(reply.body());
    } catch (MalformedPayment e) {
      return new Settlement.Unknown(Reasons.MALFORMED, null);
    }
    String transaction =
        TRANSACTION.matcher(answer.transaction()).matches() ? answer.transaction() : null;
    if (answer.success()) {
      return succeeded(reply, answer, network, transaction);
    }
    // With a transaction on its way, a failure is the chain's to tell: it may be a timeout, or a
    // revert because somebody else had submitted the same authorization first.
    boolean certain =
        reply.status() < SERVER_ERROR
            && answer.transaction().isEmpty()
            && Reasons.isCertain(answer.errorReason());
    if (Reasons.NOT_SENT.equals(answer.errorReason()) && reply.status() == OK) {
      return new Settlement.Unsent(Reasons.NOT_SENT);
    }
    String reason = Reasons.word(answer.errorReason(), Reasons.MALFORMED);
    return certain ? new Settlement.Refused(reason) : new Settlement.Unknown(reason, transaction);
  }

  private static Settlement succeeded(
      RemoteCalls.Reply reply,
      SettlementResponse answer,
      String network,
      @Nullable String transaction) {
    return reply.status() == OK && transaction != null && answer.network().equals(network)
        ? new Settlement.Settled(transaction)
        : new Settlement.Unknown(Reasons.MALFORMED, transaction);
  }
}
