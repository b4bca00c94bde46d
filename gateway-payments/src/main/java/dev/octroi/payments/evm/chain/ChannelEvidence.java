package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.chain.ChainEvidence.ChainView;
import dev.octroi.payments.evm.chain.ChainEvidence.Finality;
import dev.octroi.payments.evm.channel.BatchSettlement;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import java.util.List;
import java.util.Optional;

/**
 * What an EVM chain proves of a payment that brings a deposit into its channel. Thread-safe.
 *
 * <p>Paid is a transaction of anybody in which the token took this very authorization and the
 * contract logged the deposit, after which the channel holds what the voucher permits. Not paid is,
 * once the authorization has ended in a final block, that no log of its life shows it. A payment by
 * voucher alone moves nothing by itself, so that nothing is proven of it.
 */
record ChannelEvidence(JsonRpc rpc, Finality finality, AuthorizationLogs logs) {

  private static final String EXPIRED =
      BatchSettlement.PREFIX + "payload_authorization_valid_before";

  /** What is certain by now; throws {@link ChainUnavailable}. */
  Optional<Settlement> of(UnresolvedPayment payment) {
    Optional<DepositProof> proof = DepositProof.of(payment);
    if (proof.isEmpty()) {
      return Optional.empty();
    }
    DepositProof wanted = proof.get();
    ChainView view = ChainView.read(rpc, finality, List.of(), payment.transaction());
    if (wanted.isIn(view.receipt())) {
      return ChainEvidence.settled(view.receipt(), view, finality);
    }
    Optional<String> found =
        logs.find(
            BatchSettlement.ADDRESS,
            wanted.topics(),
            payment.validBefore(),
            view.head(),
            log -> wanted.isIn(receipt(log.path("transactionHash").asText())));
    if (found.isPresent()) {
      return ChainEvidence.settled(receipt(found.get()), view, finality);
    }
    return view.isOver(payment.validBefore())
        ? Optional.of(new Settlement.Refused(EXPIRED))
        : Optional.empty();
  }

  private JsonNode receipt(String transaction) {
    return rpc.read("eth_getTransactionReceipt", transaction);
  }
}
