package dev.octroi.payments.facilitator;

import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.x402.FacilitatorMessages;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.SettlementResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a remote facilitator's answer to {@code /settle} means. Only a complete success is {@link
 * Settlement.Settled}, only a reason that rules out a transaction is {@link Settlement.Refused};
 * anything else is {@link Settlement.Unknown} (x402, rules for an uncertain outcome).
 */
final class RemoteOutcome {

  private static final int OK = 200;
  private static final int SERVER_ERROR = 500;

  private RemoteOutcome() {}

  /**
   * What a facilitator was asked.
   *
   * @param network as the facilitator's version of the protocol calls it
   * @param payer who pays, as far as that is known here
   */
  record Asked(String network, ChainFamily family, Optional<String> payer) {

    private @Nullable String transaction(SettlementResponse answer) {
      return family.isTransaction(answer.transaction()) ? answer.transaction() : null;
    }

    private boolean isMeantBy(SettlementResponse answer) {
      String named = answer.payer();
      return answer.network().equals(network)
          && (named == null
              || payer.map(PaymentKey::spelling).stream()
                  .allMatch(PaymentKey.spelling(named)::equals));
    }
  }

  static Settlement of(RemoteCalls.Reply reply, Asked asked) {
    SettlementResponse answer;
    try {
      answer = FacilitatorMessages.readSettlement(reply.body());
    } catch (MalformedPayment e) {
      return new Settlement.Unknown(Reasons.MALFORMED, null);
    }
    String transaction = asked.transaction(answer);
    if (answer.success()) {
      return reply.status() == OK && transaction != null && asked.isMeantBy(answer)
          ? new Settlement.Settled(transaction)
          : new Settlement.Unknown(Reasons.MALFORMED, transaction);
    }
    // With a transaction on its way, a failure is the chain's to tell: it may be a timeout, or a
    // revert because a third party had submitted the same authorization first.
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
}
