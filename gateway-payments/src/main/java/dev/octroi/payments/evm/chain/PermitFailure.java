package dev.octroi.payments.evm.chain;

import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.chain.Multicall3.Call;
import dev.octroi.payments.evm.chain.Multicall3.Result;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.permit2.SettleCall;
import dev.octroi.payments.x402.PaymentHeaders;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Says why a settlement by Permit2 fails, by the names that the contracts give. */
public final class PermitFailure {

  private static final String OTHER = "invalid_exact_evm_transaction_failed";
  private static final int SELECTOR_BYTES = 4;

  private static final Map<String, String> REASONS =
      Map.ofEntries(
          named("InvalidAmount()", "permit2_invalid_amount"),
          named("InvalidAmount(uint256)", "permit2_invalid_amount"),
          named("InvalidDestination()", "permit2_invalid_destination"),
          named("InvalidOwner()", "permit2_invalid_owner"),
          named("PaymentTooEarly()", "permit2_payment_too_early"),
          named("Permit2612AmountMismatch()", "permit2_2612_amount_mismatch"),
          named("InvalidNonce()", "permit2_invalid_nonce"),
          named("SignatureExpired(uint256)", "permit2_deadline_expired"),
          named("InvalidSigner()", "invalid_permit2_signature"),
          named("InvalidSignature()", "invalid_permit2_signature"),
          named("InvalidSignatureLength()", "invalid_permit2_signature"),
          named("InvalidContractSignature()", "invalid_permit2_signature"));

  private PermitFailure() {}

  /**
   * Simulates a settlement that has failed.
   *
   * @param data its calldata
   * @throws ChainUnavailable if the chain cannot be asked
   */
  public static String of(JsonRpc rpc, SettleCall terms, byte[] data) {
    List<Call> calls =
        List.of(
            new Call(Permit2.EXACT_PROXY, data),
            new Call(terms.token(), TokenCalls.balanceOf(terms.payer())),
            new Call(terms.token(), TokenCalls.allowance(terms.payer(), Permit2.ADDRESS)));
    byte[] returned = Quantities.bytes(rpc.read(List.of(PaymentReader.simulation(calls))).get(0));
    List<Result> results = Multicall3.results(returned, calls.size());
    BigInteger balance = TokenCalls.number(results.get(1));
    BigInteger allowance = TokenCalls.number(results.get(2));
    String named = REASONS.get(selector(results.get(0).data()));
    if (named != null) {
      return named;
    }
    if (balance.compareTo(terms.amount()) < 0) {
      return ChainPermit2Verifier.BALANCE;
    }
    return allowance.compareTo(terms.amount()) < 0 ? PaymentHeaders.ALLOWANCE_MISSING : OTHER;
  }

  private static Map.Entry<String, String> named(String error, String reason) {
    return Map.entry(selector(Keccak.hash(error.getBytes(StandardCharsets.US_ASCII))), reason);
  }

  private static String selector(byte[] data) {
    return HexFormat.of().formatHex(Arrays.copyOf(data, Math.min(data.length, SELECTOR_BYTES)));
  }
}
