package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.chain.Multicall3;
import dev.octroi.payments.evm.chain.PaidTransfer;
import dev.octroi.payments.evm.chain.TokenCalls;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * A payment as its token takes it: the calldata of {@code transferWithAuthorization} (EIP-3009),
 * the very bytes that the verifier simulated, from which its terms can be read back.
 *
 * @param token the token's contract
 * @param data the calldata
 */
record TransferCall(EvmAddress token, byte[] data) {

  /** The overload with v, r and s, for signatures of 65 bytes (x402, settle). */
  private static final byte[] SPLIT = Hex.parse("0xe3ee160e");

  private static final int SELECTOR_BYTES = 4;
  private static final int WORD = 32;

  static TransferCall of(EvmAddress token, SignedAuthorization signed) {
    return new TransferCall(token, TokenCalls.transfer(signed));
  }

  /** Whether the signature is of the one form that every account without code makes. */
  boolean isSplit() {
    return Arrays.equals(data, 0, SELECTOR_BYTES, SPLIT, 0, SELECTOR_BYTES);
  }

  EvmAddress payer() {
    return address(0);
  }

  EvmAddress payTo() {
    return address(1);
  }

  /** Atomic units. */
  BigInteger amount() {
    return new BigInteger(1, word(2));
  }

  /** Unix seconds. */
  BigInteger validBefore() {
    return new BigInteger(1, word(4));
  }

  /** 32 bytes. */
  byte[] nonce() {
    return word(5);
  }

  /** What a receipt must show. */
  PaidTransfer promise() {
    return new PaidTransfer(token, payer(), Hex.of(nonce()), payTo(), amount());
  }

  Multicall3.Call inBatch() {
    return new Multicall3.Call(token, data);
  }

  private EvmAddress address(int index) {
    byte[] word = word(index);
    return EvmAddress.parse(Hex.of(Arrays.copyOfRange(word, WORD - EvmAddress.BYTES, WORD)));
  }

  private byte[] word(int index) {
    int start = SELECTOR_BYTES + index * WORD;
    return Arrays.copyOfRange(data, start, start + WORD);
  }
}
