package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.Usd;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.PermitNonce;
import dev.octroi.payments.evm.chain.ChainEvidence.ChainView;
import dev.octroi.payments.evm.chain.ChainEvidence.Finality;
import dev.octroi.payments.evm.chain.Multicall3.Call;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an EVM chain proves of a payment by Permit2. Thread-safe.
 *
 * <p>That its nonce counts as used proves nothing, for the payer can burn it. Paid is a transaction
 * of anybody that called a proxy with this permit, and the token's log of the transfer. Not paid
 * is, once the permit has ended in a final block, an unused nonce, or a search of its whole life
 * that finds no transfer that could be this one. A transfer that another contract had made may be
 * this one or not: then the payment stays in doubt, unless the payer signs nothing else.
 */
record PermitEvidence(JsonRpc rpc, Finality finality, AuthorizationLogs logs) {

  private static final Logger LOG = LoggerFactory.getLogger(PermitEvidence.class);

  private static final String EXPIRED = "permit2_deadline_expired";
  private static final String BURNT = "permit2_invalid_nonce";

  /**
   * What is certain by now; throws {@link ChainUnavailable}.
   *
   * @param isOfTreasury whether the payer signs by this nonce for nothing else
   */
  Optional<Settlement> of(UnresolvedPayment payment, boolean isOfTreasury) {
    EvmAddress asset = EvmAddress.parse(payment.asset());
    EvmAddress payer = EvmAddress.parse(payment.key().payer());
    BigInteger nonce = PermitNonce.of(Hex.parse(payment.key().nonce()));
    List<Call> asked =
        List.of(
            new Call(Permit2.ADDRESS, TokenCalls.nonceBitmap(payer, nonce)),
            new Call(asset, TokenCalls.decimals()));
    ChainView view = ChainView.read(rpc, finality, asked, payment.transaction());
    int decimals = view.number(1).min(BigInteger.valueOf(Usd.MAX_DECIMALS + 1)).intValue();
    if (decimals < Usd.DECIMALS || decimals > Usd.MAX_DECIMALS) {
      LOG.warn("The token of payment {} does not tell its decimals", payment.id());
      return Optional.empty();
    }
    PaidTransfer transfer = PaidTransfer.of(payment, decimals);
    if (isProven(transfer, view.receipt())) {
      return ChainEvidence.settled(view.receipt(), view, finality);
    }
    boolean over = view.isOver(payment.validBefore());
    if (!TokenCalls.isUsed(view.number(0), nonce)) {
      return over ? Optional.of(new Settlement.Refused(EXPIRED)) : Optional.empty();
    }
    Search search = new Search(transfer, isOfTreasury);
    Optional<String> found =
        logs.find(asset, transfer.transferTopics(), payment, view.head(), search::isProof);
    if (found.isPresent()) {
      JsonNode receipt = rpc.read("eth_getTransactionReceipt", found.get());
      return receipt.isNull() ? Optional.empty() : ChainEvidence.settled(receipt, view, finality);
    }
    if (search.unclear) {
      LOG.warn(
          "The permit of payment {} counts as used, and a contract has moved its amount: whether for"
              + " it, no log says",
          payment.id());
      return Optional.empty();
    }
    return over ? Optional.of(new Settlement.Refused(BURNT)) : Optional.empty();
  }

  private boolean isProven(PaidTransfer transfer, JsonNode receipt) {
    if (!PaidTransfer.isOfProxy(receipt)) {
      return false;
    }
    return transfer.isProvenBy(receipt, input(logs.sent(receipt)));
  }

  static byte[] input(JsonNode transaction) {
    return Quantities.bytes(transaction.path("input"));
  }

  /** Looks at the transfers of the same amount between the same two. For one thread. */
  private final class Search {

    private final PaidTransfer transfer;
    private final boolean isOfTreasury;
    private final Set<String> seen = new HashSet<>();
    private boolean unclear;

    Search(PaidTransfer transfer, boolean isOfTreasury) {
      this.transfer = transfer;
      this.isOfTreasury = isOfTreasury;
    }

    /** One question to the node for a transaction, and one more for that which used this permit. */
    boolean isProof(JsonNode log) {
      String hash = log.path("transactionHash").asText();
      if (!transfer.isTheTransfer(log) || !seen.add(hash)) {
        return false;
      }
      JsonNode transaction = logs.sent(log);
      if (PaidTransfer.isOfProxy(transaction)) {
        byte[] input = input(transaction);
        return transfer.isSettledBy(transaction, input)
            && transfer.isProvenBy(logs.receipt(log), input);
      }
      // What the token itself was asked uses no permit; what another contract was asked may.
      boolean isOfContract =
          !transaction.path("to").asText().equalsIgnoreCase(transfer.asset().lowerCase());
      unclear |= isOfContract;
      return isOfContract && isOfTreasury;
    }
  }
}
