package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.Usd;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.PermitNonce;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.permit2.SettleCall;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;

/**
 * The transfer that a payment promised, to be found in receipts, whichever address sent the
 * transaction (money rule 5).
 *
 * @param asset the token
 * @param payer who pays
 * @param nonce the nonce of the payment's key in lower-case hex with 0x
 * @param payTo who is paid
 * @param amount atomic units
 */
public record PaidTransfer(
    EvmAddress asset, EvmAddress payer, String nonce, EvmAddress payTo, BigInteger amount) {

  static final String USED = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";
  static final String CANCELED =
      "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81";
  static final String TRANSFER =
      "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
  private static final String SUCCESS = "0x1";

  /** Whether the transaction of a receipt, which may be a JSON null, succeeded. */
  public static boolean succeeded(JsonNode receipt) {
    return receipt.path("status").asText().equals(SUCCESS);
  }

  /** What the chain has to show for a payment in a token of six decimals. */
  public static PaidTransfer of(UnresolvedPayment payment) {
    return of(payment, Usd.DECIMALS);
  }

  /** The same in a token of other decimals. */
  static PaidTransfer of(UnresolvedPayment payment, int decimals) {
    return new PaidTransfer(
        EvmAddress.parse(payment.asset()),
        EvmAddress.parse(payment.key().payer()),
        payment.key().nonce(),
        EvmAddress.parse(payment.payTo()),
        new BigInteger(new Usd(payment.amount()).atomicUnits(decimals)));
  }

  /**
   * Whether a receipt proves it: the transaction succeeded, and the token logged that this
   * authorization was used and next that the amount moved. Equal amounts in one transaction look
   * alike, so a transfer counts only for the authorization right before it.
   *
   * @param receipt what the node gave, which may be a JSON null
   */
  public boolean isProvenBy(JsonNode receipt) {
    if (!succeeded(receipt)) {
      return false;
    }
    boolean used = false;
    for (JsonNode log : receipt.path("logs")) {
      if (isOf(log, asset.lowerCase())) {
        if (used && isTheTransfer(log)) {
          return true;
        }
        used = isTopics(log, List.of(USED, topic(payer), nonce));
      }
    }
    return false;
  }

  /**
   * Whether a receipt proves a payment by Permit2: the transaction was a single call of a proxy
   * with this permit, it succeeded, and the token logged the transfer. Another contract's call of
   * the proxy proves nothing, for equal amounts look alike in the logs.
   *
   * @param receipt what the node gave, which may be a JSON null
   * @param input the transaction's calldata
   */
  public boolean isProvenBy(JsonNode receipt, byte[] input) {
    boolean settles = succeeded(receipt) && isSettledBy(receipt, input);
    return settles
        && StreamSupport.stream(receipt.path("logs").spliterator(), false)
            .anyMatch(log -> isOf(log, asset.lowerCase()) && isTheTransfer(log));
  }

  /** Whether a transaction, or its receipt, is of a call of a proxy. */
  static boolean isOfProxy(JsonNode transaction) {
    return isTo(transaction, Permit2.EXACT_PROXY) || isTo(transaction, Permit2.UPTO_PROXY);
  }

  /**
   * Whether a call of a proxy settles this very permit.
   *
   * @param transaction it, or its receipt
   * @param input its calldata
   */
  boolean isSettledBy(JsonNode transaction, byte[] input) {
    return SettleCall.read(input)
        .filter(call -> isTo(transaction, call.proxy()) && isSettledBy(call))
        .isPresent();
  }

  private static boolean isTo(JsonNode transaction, EvmAddress contract) {
    return transaction.path("to").asText().equalsIgnoreCase(contract.lowerCase());
  }

  private boolean isSettledBy(SettleCall call) {
    return call.payer().equals(payer)
        && PermitNonce.key(call.nonce()).equals(nonce)
        && call.token().equals(asset)
        && call.payTo().equals(payTo)
        && call.amount().equals(amount);
  }

  /** Whether a receipt shows that the payer took the authorization back. */
  boolean isCanceledBy(JsonNode receipt) {
    List<String> canceled = List.of(CANCELED, topic(payer), nonce);
    for (JsonNode log : receipt.path("logs")) {
      if (isOf(log, asset.lowerCase()) && isTopics(log, canceled)) {
        return true;
      }
    }
    return false;
  }

  /** The topics of transfers like this one. */
  List<String> transferTopics() {
    return List.of(TRANSFER, topic(payer), topic(payTo));
  }

  /** The topics by which a node finds what became of the authorization. */
  List<?> topics() {
    return List.of(List.of(USED, CANCELED), topic(payer), nonce);
  }

  boolean isTheTransfer(JsonNode log) {
    return isTopics(log, transferTopics())
        && new BigInteger(1, Quantities.bytes(log.path("data"))).equals(amount);
  }

  /** Whether a contract has logged it, whose address is in lower case. */
  static boolean isOf(JsonNode log, String contract) {
    return log.path("address").asText().toLowerCase(Locale.ROOT).equals(contract);
  }

  private static boolean isTopics(JsonNode log, List<String> topics) {
    JsonNode found = log.path("topics");
    if (found.size() != topics.size()) {
      return false;
    }
    for (int i = 0; i < topics.size(); i++) {
      if (!found.get(i).asText().toLowerCase(Locale.ROOT).equals(topics.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** An account as logs name it. */
  static String topic(EvmAddress address) {
    return "0x" + "0".repeat(24) + address.lowerCase().substring(2);
  }
}
