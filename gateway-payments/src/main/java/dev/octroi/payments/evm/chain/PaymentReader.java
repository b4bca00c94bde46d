package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.chain.RpcConnection.RpcAnswer;
import dev.octroi.payments.chain.RpcConnection.RpcCall;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.TransferAuthorization;
import dev.octroi.payments.evm.chain.JsonRpc.Attempt;
import dev.octroi.payments.evm.chain.Multicall3.Call;
import dev.octroi.payments.evm.chain.Multicall3.Result;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks the chain everything about a payment in one round trip, and in another one where a payer
 * turns out to be a contract: its transaction is given more gas. Thread-safe.
 */
final class PaymentReader {

  private static final String LATEST = "latest";

  /** ERC-1271's answer for yes, the method's own selector. */
  private static final byte[] ACCEPTED = Hex.parse("0x1626ba7e");

  /** Assets are what this server offers, so few; what is offered to others must not fill memory. */
  private static final int MAX_CACHED_ASSETS = 256;

  private final JsonRpc rpc;
  private final Set<EvmAddress> deployed = ConcurrentHashMap.newKeySet();

  PaymentReader(JsonRpc rpc) {
    this.rpc = rpc;
  }

  /**
   * Reads, and simulates the transaction that moves the money. What is read comes in this order, so
   * that a wallet that is deployed first can judge its signature.
   *
   * @param signed the payment with the signature that the token is to judge
   * @param digest what was signed
   * @param byKey whether the payer's key made the signature
   * @param deployment what deploys the payer first
   */
  PaymentReading read(
      SignedAuthorization signed,
      byte[] digest,
      EvmAddress asset,
      boolean byKey,
      Optional<Call> deployment) {
    TransferAuthorization terms = signed.authorization();
    List<Call> calls = new ArrayList<>();
    calls.add(new Call(asset, TokenCalls.balanceOf(terms.from())));
    calls.add(new Call(asset, TokenCalls.authorizationState(terms.from(), terms.nonce())));
    deployment.ifPresent(calls::add);
    calls.add(new Call(terms.from(), TokenCalls.isValidSignature(digest, signed.signature())));
    boolean known = deployed.contains(asset);
    List<RpcCall> batch = new ArrayList<>();
    batch.add(simulation(calls));
    batch.add(code(terms.from()));
    if (!known) {
      batch.add(code(asset));
    }
    Call transfer = new Call(asset, TokenCalls.transfer(signed));
    long gas = byKey ? GasLimits.TRANSFER : GasLimits.WALLET;
    Attempt attempt =
        rpc.attempt(
            batch, deployment.map(first -> after(first, transfer)).orElse(made(transfer, gas)));
    List<JsonNode> answers = attempt.read();
    boolean payerHasCode = hasCode(answers.get(1));
    boolean assetHasCode = known || note(asset, hasCode(answers.get(2)));
    List<Result> results = Multicall3.results(Quantities.bytes(answers.get(0)), calls.size());
    boolean isOfWallet = payerHasCode && (byKey || deployment.isPresent());
    RpcAnswer ended =
        isOfWallet
            ? rpc.attempt(List.of(), made(transfer, GasLimits.WALLET)).ended()
            : attempt.ended();
    return new PaymentReading(
        payerHasCode,
        assetHasCode,
        TokenCalls.number(results.get(0)),
        TokenCalls.number(results.get(1)).signum() != 0,
        isAcceptance(results.get(calls.size() - 1)),
        hasPaid(ended, !isOfWallet && deployment.isPresent()));
  }

  private static RpcCall made(Call transfer, long gas) {
    return JsonRpc.transaction(Optional.empty(), transfer.target(), transfer.data(), gas);
  }

  /** The transfer by a wallet that is deployed first, as both go out together. */
  private static RpcCall after(Call deployment, Call transfer) {
    byte[] both = Multicall3.aggregate3(List.of(deployment, transfer));
    return made(new Call(Multicall3.ADDRESS, both), GasLimits.DEPLOYMENT);
  }

  /** The transaction of a wallet that is deployed first succeeds even if the transfer does not. */
  private static boolean hasPaid(RpcAnswer ended, boolean isDeploying) {
    return ended instanceof RpcAnswer.Result result
        && (!isDeploying
            || Multicall3.results(Quantities.bytes(result.value()), 2).get(1).success());
  }

  static RpcCall simulation(List<Call> calls) {
    return simulation(calls, LATEST);
  }

  /** The same as of a block, by its tag or its number in hex. */
  static RpcCall simulation(List<Call> calls, String block) {
    return RpcCall.of(
        "eth_call",
        Map.of(
            "to", Multicall3.ADDRESS.lowerCase(),
            "data", Hex.of(Multicall3.aggregate3(calls))),
        block);
  }

  static RpcCall code(EvmAddress account) {
    return RpcCall.of("eth_getCode", account.lowerCase(), LATEST);
  }

  static boolean hasCode(JsonNode code) {
    return Quantities.bytes(code).length > 0;
  }

  /** Only that there is code is kept: a token may yet be deployed, but none disappears. */
  private boolean note(EvmAddress asset, boolean hasCode) {
    if (hasCode && deployed.size() < MAX_CACHED_ASSETS) {
      deployed.add(asset);
    }
    return hasCode;
  }

  static boolean isAcceptance(Result result) {
    return result.success() && isAcceptance(result.data());
  }

  /** Whether a contract has answered that a signature is its own. */
  static boolean isAcceptance(byte[] answer) {
    return answer.length >= AbiReader.WORD
        && Arrays.equals(answer, 0, ACCEPTED.length, ACCEPTED, 0, ACCEPTED.length);
  }

  /**
   * What the chain says of one payment at its latest block.
   *
   * @param payerHasCode whether the payer is a contract, or a key that has delegated to one
   * @param assetHasCode whether there is a token at all
   * @param balance what the payer has, in atomic units
   * @param used whether the authorization was used or cancelled
   * @param accepted whether the payer, as a contract, takes the signature for its own
   * @param transfers whether the transfer succeeds in a simulation
   */
  record PaymentReading(
      boolean payerHasCode,
      boolean assetHasCode,
      BigInteger balance,
      boolean used,
      boolean accepted,
      boolean transfers) {}
}
