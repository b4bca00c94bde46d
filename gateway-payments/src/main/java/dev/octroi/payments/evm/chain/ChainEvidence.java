package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayment;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an EVM chain proves of a payment (money rules 5 and 11). Thread-safe.
 *
 * <p>Paid is {@code AuthorizationUsed} with the transfer to the seller in one receipt, at the
 * configured depth, whichever address sent it. Not paid is, in a final block, a cancellation, a use
 * of the nonce for something else, or the authorization's end with it unused. That an authorization
 * counts as used proves neither.
 */
public final class ChainEvidence implements Evidence {

  static final String CANCELED = "authorization_canceled";
  static final String SPENT_OTHERWISE = ChainEvmVerifier.NONCE;
  static final String EXPIRED = "invalid_exact_evm_payload_authorization_valid_before";

  private static final Logger LOG = LoggerFactory.getLogger(ChainEvidence.class);

  private final JsonRpc rpc;
  private final Finality finality;
  private final AuthorizationLogs logs;

  public ChainEvidence(JsonRpc rpc, Finality finality) {
    this.rpc = rpc;
    this.finality = finality;
    this.logs = new AuthorizationLogs(rpc, finality);
  }

  @Override
  public Optional<Settlement> of(UnresolvedPayment payment) {
    try {
      return decide(payment);
    } catch (ChainUnavailable e) {
      LOG.warn("The chain proves nothing of payment {} now: {}", payment.id(), e.getMessage());
      return Optional.empty();
    }
  }

  private Optional<Settlement> decide(UnresolvedPayment payment) {
    PaidTransfer transfer = PaidTransfer.of(payment);
    ChainView view = ChainView.read(rpc, finality, transfer, payment.transaction());
    if (transfer.isProvenBy(view.receipt())) {
      return settled(view.receipt(), view);
    }
    if (!view.used()) {
      return expired(payment.validBefore(), view);
    }
    Optional<String> transaction = logs.find(transfer, payment.validBefore(), view.head());
    if (transaction.isEmpty()) {
      LOG.warn("The authorization of payment {} counts as used, but no log says how", payment.id());
      return Optional.empty();
    }
    return judge(transfer, rpc.read("eth_getTransactionReceipt", transaction.get()), view);
  }

  private Optional<Settlement> settled(JsonNode receipt, ChainView view) {
    long confirmations = view.head().number() - block(receipt) + 1;
    return confirmations >= finality.confirmations()
        ? Optional.of(new Settlement.Settled(receipt.path("transactionHash").asText()))
        : Optional.empty();
  }

  private static Optional<Settlement> expired(Instant validBefore, ChainView view) {
    long end = validBefore.getEpochSecond();
    return view.finalBlock().time() >= end && view.time() >= end
        ? Optional.of(new Settlement.Refused(EXPIRED))
        : Optional.empty();
  }

  private Optional<Settlement> judge(PaidTransfer transfer, JsonNode receipt, ChainView view) {
    if (receipt.isNull()) {
      return Optional.empty();
    }
    if (transfer.isProvenBy(receipt)) {
      return settled(receipt, view);
    }
    if (block(receipt) > view.finalBlock().number()) {
      return Optional.empty();
    }
    String reason = transfer.isCanceledBy(receipt) ? CANCELED : SPENT_OTHERWISE;
    return Optional.of(new Settlement.Refused(reason));
  }

  private static long block(JsonNode receipt) {
    return Quantities.small(receipt.path("blockNumber"));
  }
}
