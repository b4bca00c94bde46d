package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.chain.ChainEvidence.ChainView;
import dev.octroi.payments.evm.chain.ChainEvidence.Finality;
import dev.octroi.payments.evm.channel.BatchSettlement;
import dev.octroi.payments.evm.channel.ChannelCalls.DepositTerms;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an EVM chain proves of a payment that brings a deposit into its channel. Thread-safe.
 *
 * <p>Paid is a transaction of anybody in which the token took this very authorization and the
 * contract logged the deposit, after which the channel holds what the voucher permits. Permit2 logs
 * no authorization: then the transaction must be a call of the contract itself with this permit,
 * and a deposit that another contract has made leaves the payment in doubt. Not paid is, once the
 * authorization has ended in a final block, that no log of its life could be of it. A payment by
 * voucher alone moves nothing by itself, so that nothing is proven of it.
 */
record ChannelEvidence(JsonRpc rpc, Finality finality, AuthorizationLogs logs) {

  private static final Logger LOG = LoggerFactory.getLogger(ChannelEvidence.class);

  private static final String EXPIRED =
      BatchSettlement.PREFIX + "payload_authorization_valid_before";
  private static final String PERMIT_EXPIRED = BatchSettlement.PREFIX + "permit2_deadline_expired";

  /** What is certain by now; throws {@link ChainUnavailable}. */
  Optional<Settlement> of(UnresolvedPayment payment) {
    Optional<DepositProof> proof = DepositProof.of(payment);
    if (proof.isEmpty()) {
      return Optional.empty();
    }
    DepositProof wanted = proof.get();
    ChainView view = ChainView.read(rpc, finality, List.of(), payment.transaction());
    Search search = new Search(wanted);
    if (search.isProven(view.receipt())) {
      return ChainEvidence.settled(view.receipt(), view, finality);
    }
    Optional<String> found =
        logs.find(BatchSettlement.ADDRESS, wanted.topics(), payment, view.head(), search::isProof);
    if (found.isPresent()) {
      return ChainEvidence.settled(receipt(found.get()), view, finality);
    }
    if (search.unclear) {
      LOG.warn(
          "A contract has put money into the channel of payment {}: whether by its permit, no log"
              + " says",
          payment.id());
      return Optional.empty();
    }
    return view.isOver(payment.validBefore())
        ? Optional.of(new Settlement.Refused(wanted.isByPermit() ? PERMIT_EXPIRED : EXPIRED))
        : Optional.empty();
  }

  /** Looks at deposits into one channel. For one thread. */
  private final class Search {

    private final DepositProof wanted;
    private boolean unclear;

    Search(DepositProof wanted) {
      this.wanted = wanted;
    }

    boolean isProof(JsonNode log) {
      JsonNode receipt = receipt(log.path("transactionHash").asText());
      unclear |= wanted.isByPermit() && wanted.isDeposit(log) && !DepositProof.isCall(receipt);
      return isProven(receipt);
    }

    boolean isProven(JsonNode receipt) {
      if (!wanted.isByPermit()) {
        return wanted.isIn(receipt);
      }
      return DepositProof.isCall(receipt)
          && DepositTerms.read(input(receipt), rpc.chainId())
              .filter(called -> wanted.isIn(receipt, called))
              .isPresent();
    }

    private byte[] input(JsonNode receipt) {
      return PermitEvidence.input(
          rpc.read("eth_getTransactionByHash", receipt.path("transactionHash").asText()));
    }
  }

  private JsonNode receipt(String transaction) {
    return rpc.read("eth_getTransactionReceipt", transaction);
  }
}
