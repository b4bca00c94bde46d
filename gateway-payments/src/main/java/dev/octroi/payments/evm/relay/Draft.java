package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.chain.DeployingSignature;
import dev.octroi.payments.evm.chain.GasLimits;
import dev.octroi.payments.evm.chain.Multicall3;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a transaction does, before a relayer and its nonce are known.
 *
 * @param to the contract that is called
 * @param data the calldata
 * @param gas the limit: unused gas is not paid for, and too little only makes a transfer fail alone
 * @param value what it moves of the chain's own coin, in wei
 * @param calls the payments in it, in their order
 */
record Draft(EvmAddress to, byte[] data, long gas, BigInteger value, List<TransferCall> calls) {

  private static final long GAS_OF_BATCH = 40_000;
  private static final long GAS_OF_NOTHING = 21_000;

  Draft {
    calls = List.copyOf(calls);
  }

  Draft(EvmAddress to, byte[] data, long gas, List<TransferCall> calls) {
    this(to, data, gas, BigInteger.ZERO, calls);
  }

  /** One payment by itself, several through Multicall3, each allowed to fail alone. */
  static Draft of(List<TransferCall> calls) {
    if (calls.size() == 1) {
      return first(calls.get(0));
    }
    byte[] data = Multicall3.aggregate3(calls.stream().map(TransferCall::inBatch).toList());
    long gas = GAS_OF_BATCH + calls.size() * GasLimits.TRANSFER;
    return new Draft(Multicall3.ADDRESS, data, gas, calls);
  }

  /** One of the payments in it by itself, without what else was done for it. */
  Draft alone(TransferCall call) {
    if (isDeploying()) {
      return ofWallet(call);
    }
    return calls.size() == 1 ? this : first(call);
  }

  /** A payment by itself. */
  static Draft first(TransferCall call) {
    return new Draft(call.target(), call.data(), call.gas(), List.of(call));
  }

  /** A payment by a contract, which checks the signature itself. */
  static Draft ofWallet(TransferCall call) {
    long gas = Math.max(GasLimits.WALLET, call.gas());
    return new Draft(call.target(), call.data(), gas, List.of(call));
  }

  /** A payment by a wallet that its factory deploys first, unless it is there (ERC-6492). */
  static Draft deploying(DeployingSignature wallet, TransferCall call) {
    Multicall3.Call deployment = new Multicall3.Call(wallet.factory(), wallet.factoryData());
    byte[] data = Multicall3.aggregate3(List.of(deployment, call.inBatch()));
    return new Draft(Multicall3.ADDRESS, data, GasLimits.DEPLOYMENT, List.of(call));
  }

  /** The relayer that must send it; empty where any may. */
  Optional<EvmAddress> sender() {
    return calls.size() == 1 ? calls.get(0).sender() : Optional.empty();
  }

  /** When the last of its payments ends; of one without payments at another moment. */
  Instant goodUntil(Instant otherwise) {
    return calls.stream().map(TransferCall::end).max(Instant::compareTo).orElse(otherwise);
  }

  /** Whether it deploys the payer before it pays. */
  boolean isDeploying() {
    return to.equals(Multicall3.ADDRESS) && calls.size() == 1;
  }

  /** Whether a simulation of one that deploys has paid, by what it returned. */
  static boolean hasPaid(byte[] returned) {
    return Multicall3.results(returned, 2).get(1).success();
  }

  /** Nothing, sent to oneself: it uses up a nonce that nothing else will. */
  static Draft filler(EvmAddress relayer) {
    return gift(relayer, BigInteger.ZERO);
  }

  /** Gives an account some of the chain's own coin. */
  static Draft gift(EvmAddress account, BigInteger wei) {
    return new Draft(account, new byte[0], GAS_OF_NOTHING, wei, List.of());
  }
}
