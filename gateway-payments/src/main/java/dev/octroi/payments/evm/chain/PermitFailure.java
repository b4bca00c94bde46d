package dev.octroi.payments.evm.chain;

import dev.octroi.payments.chain.RpcConnection.RpcAnswer;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.chain.JsonRpc.Attempt;
import dev.octroi.payments.evm.chain.Multicall3.Call;
import dev.octroi.payments.evm.chain.Multicall3.Result;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.permit2.SettleCall;
import dev.octroi.payments.x402.PaymentHeaders;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says why a settlement by Permit2 fails, by the names that the contracts give. */
public final class PermitFailure {

  private static final String OTHER = "invalid_exact_evm_transaction_failed";
  private static final String OTHER_OF_UPTO = "invalid_upto_evm_transaction_failed";
  private static final int SELECTOR_BYTES = 4;
  private static final int SELECTOR_DIGITS = 2 + 2 * SELECTOR_BYTES;

  private static final Map<String, String> REASONS =
      Map.ofEntries(
          named("InvalidAmount()", "permit2_invalid_amount"),
          named("InvalidAmount(uint256)", "permit2_invalid_amount"),
          named("InvalidDestination()", "permit2_invalid_destination"),
          named("InvalidOwner()", "permit2_invalid_owner"),
          named("PaymentTooEarly()", "permit2_payment_too_early"),
          named("UnauthorizedFacilitator()", "upto_unauthorized_facilitator"),
          named("AmountExceedsPermitted()", "upto_amount_exceeds_permitted"),
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
            new Call(terms.token(), TokenCalls.balanceOf(terms.payer())),
            new Call(terms.token(), TokenCalls.allowance(terms.payer(), Permit2.ADDRESS)));
    Attempt attempt =
        rpc.attempt(
            List.of(PaymentReader.simulation(calls)),
            JsonRpc.callOf(terms.sender(), terms.proxy(), data));
    List<Result> results =
        Multicall3.results(Quantities.bytes(attempt.read().get(0)), calls.size());
    String named = attempt.ended() instanceof RpcAnswer.Refused refused ? named(refused) : null;
    if (named != null) {
      return named;
    }
    if (TokenCalls.number(results.get(0)).compareTo(terms.amount()) < 0) {
      return ChainPermit2Verifier.BALANCE;
    }
    if (TokenCalls.number(results.get(1)).compareTo(terms.amount()) < 0) {
      return PaymentHeaders.ALLOWANCE_MISSING;
    }
    return terms.facilitator() == null ? OTHER : OTHER_OF_UPTO;
  }

  /** Whether a settlement fails for another reason than that Permit2 may not move the money. */
  static boolean isNamed(RpcAnswer ended) {
    return ended instanceof RpcAnswer.Refused refused && named(refused) != null;
  }

  /** What a contract called its error, by the first bytes of what the node passes on. */
  private static @Nullable String named(RpcAnswer.Refused refused) {
    String data = refused.data().asText("");
    return data.length() < SELECTOR_DIGITS
        ? null
        : REASONS.get(data.substring(0, SELECTOR_DIGITS).toLowerCase(Locale.ROOT));
  }

  private static Map.Entry<String, String> named(String error, String reason) {
    byte[] hash = Keccak.ofText(error);
    return Map.entry(Hex.of(Arrays.copyOf(hash, SELECTOR_BYTES)), reason);
  }
}
