package dev.octroi.payments.evm.relay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.chain.Quantities;
import dev.octroi.payments.evm.chain.RpcAnswer;
import dev.octroi.payments.evm.chain.RpcCall;
import dev.octroi.payments.evm.chain.TokenCalls;
import java.math.BigInteger;
import java.util.Map;

/**
 * Says what a final transaction did to a payment: moved it, as its own pair of logs proves, or not,
 * and then why (money rules 5 and 10).
 */
record Judge(JsonRpc rpc) {

  static final String REVERTED = "invalid_transaction_state";
  static final String POOR = "invalid_exact_evm_insufficient_balance";

  /**
   * Judges a payment.
   *
   * @param receipt that of the transaction; a JSON null where a stranger's took its nonce
   * @param again whether it may be sent once more, having failed in company
   */
  Verdict of(TransferCall call, JsonNode receipt, boolean again, Head head) {
    if (call.promise().isProvenBy(receipt)) {
      return new Verdict.Paid();
    }
    if (number(call, TokenCalls.authorizationState(call.payer(), call.nonce())).signum() != 0) {
      return new Verdict.UsedElsewhere();
    }
    if (!succeedsNow(call)) {
      BigInteger balance = number(call, TokenCalls.balanceOf(call.payer()));
      return new Verdict.Failed(balance.compareTo(call.amount()) < 0 ? POOR : REVERTED);
    }
    boolean inTime =
        call.validBefore().compareTo(BigInteger.valueOf(head.time().getEpochSecond())) > 0;
    return again && inTime ? new Verdict.Again() : new Verdict.Failed(REVERTED);
  }

  private boolean succeedsNow(TransferCall call) {
    return ask(call, call.data()) instanceof RpcAnswer.Result;
  }

  /** What the token says; zero where it has no such method. */
  private BigInteger number(TransferCall call, byte[] data) {
    return ask(call, data) instanceof RpcAnswer.Result result
            && result.value().asText().length() > 2
        ? Quantities.of(result.value())
        : BigInteger.ZERO;
  }

  private RpcAnswer ask(TransferCall call, byte[] data) {
    Map<String, String> request = Map.of("to", call.token().lowerCase(), "data", Hex.of(data));
    return rpc.ask(RpcCall.of("eth_call", request, "latest"));
  }
}
