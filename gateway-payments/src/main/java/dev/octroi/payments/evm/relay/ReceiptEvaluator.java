package dev.octroi.payments.evm.relay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.chain.KnownBlock;
import dev.octroi.payments.evm.chain.Multicall3.Call;
import dev.octroi.payments.evm.chain.PermitFailure;
import dev.octroi.payments.evm.chain.Quantities;
import dev.octroi.payments.evm.chain.TokenCalls;
import dev.octroi.payments.evm.channel.BatchSettlement;
import dev.octroi.payments.evm.relay.Follower.Head;
import dev.octroi.payments.evm.relay.TransferCall.DepositCall;
import dev.octroi.payments.evm.relay.TransferCall.PermitCall;
import java.math.BigInteger;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Says what a final transaction did to a payment: moved it, as its own pair of logs proves, or not,
 * and then why (money rules 5 and 10).
 */
record ReceiptEvaluator(JsonRpc rpc) {

  static final String REVERTED = "invalid_transaction_state";
  static final String DEPOSIT = BatchSettlement.PREFIX + "deposit_transaction_failed";
  static final String POOR = "invalid_exact_evm_insufficient_balance";

  /**
   * Judges a payment.
   *
   * @param sent what the transaction does, asked for only where it did not pay
   * @param receipt that of the transaction; a JSON null where a stranger's took its nonce
   * @param again whether it may be sent once more, having failed in company or not at all
   * @param head a block no older than the receipt's, out of which alone it is judged
   * @throws dev.octroi.payments.evm.chain.ChainUnavailable if no node says, or only one that is
   *     behind; nothing is judged then
   */
  Verdict of(TransferCall call, Supplier<Draft> sent, JsonNode receipt, boolean again, Head head) {
    if (call.isProvenBy(receipt)) {
      return new Verdict.Paid();
    }
    KnownBlock block = new KnownBlock(rpc, head.number(), head.time());
    if (call.isUsed(block.said(call.state()))) {
      return new Verdict.UsedElsewhere();
    }
    Draft before = sent.get();
    Draft alone = before.alone(call);
    // A wallet that a third party has deployed meanwhile pays, and only without its deployment.
    boolean pays = succeeds(alone, block);
    if (!pays && !(before.isDeploying() && succeeds(before, block))) {
      return new Verdict.Failed(reason(call));
    }
    boolean inTime =
        call.validBefore().compareTo(BigInteger.valueOf(head.time().getEpochSecond())) > 0;
    boolean mayGoOn = again || (pays && before.isDeploying());
    return mayGoOn && inTime
        ? new Verdict.Again(pays ? alone : before)
        : new Verdict.Failed(REVERTED);
  }

  /** A wallet that is to be deployed first is so in the simulation too. */
  private static boolean succeeds(Draft draft, KnownBlock block) {
    return block
        .simulated(draft.sender(), draft.to(), draft.data(), draft.gas())
        .filter(value -> !draft.isDeploying() || Draft.hasPaid(Hex.parse(value.asText())))
        .isPresent();
  }

  private String reason(TransferCall call) {
    if (call instanceof PermitCall permit) {
      return PermitFailure.of(rpc, permit.terms(), permit.data());
    }
    if (call instanceof DepositCall) {
      return DEPOSIT;
    }
    BigInteger balance = number(new Call(call.token(), TokenCalls.balanceOf(call.payer())));
    return balance.compareTo(call.amount()) < 0 ? POOR : REVERTED;
  }

  /** What a contract says; zero where it has no such method. */
  private BigInteger number(Call call) {
    return rpc.call(Optional.empty(), call.target(), call.data())
        .filter(value -> value.asText().length() > 2)
        .map(Quantities::of)
        .orElse(BigInteger.ZERO);
  }

  /** What a final transaction means for one of its payments. */
  sealed interface Verdict {

    /** It moved the money. */
    record Paid() implements Verdict {}

    /** The authorization was used by another transaction, which must be found. */
    record UsedElsewhere() implements Verdict {}

    /** It failed with others and would succeed now: it goes out once more by itself, like this. */
    record Again(Draft draft) implements Verdict {}

    /** It failed and nothing moves it any more. */
    record Failed(String reason) implements Verdict {}
  }
}
