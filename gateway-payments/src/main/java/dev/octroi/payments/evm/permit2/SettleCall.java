package dev.octroi.payments.evm.permit2;

import dev.octroi.payments.evm.AbiWords;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * What a transaction asks the exact proxy to move, as far as its calldata says.
 *
 * @param token the token's contract
 * @param amount atomic units
 * @param nonce the permit's
 * @param deadline the permit's, in Unix seconds
 * @param payer whose permit it is
 * @param payTo who is paid
 */
public record SettleCall(
    EvmAddress token,
    BigInteger amount,
    BigInteger nonce,
    BigInteger deadline,
    EvmAddress payer,
    EvmAddress payTo) {

  private static final byte[] SETTLE = Hex.parse("0x13cd3b53");
  private static final byte[] SETTLE_WITH_PERMIT = Hex.parse("0xfa340378");

  /** The words of {@code settle} before the signature, and its place among them. */
  private static final int HEAD_WORDS = 8;

  private static final int V_OFFSET = 27;

  /** The words of a token's own permit before those. */
  private static final int PERMIT_WORDS = 5;

  /** Calldata of {@code settle}. */
  public static byte[] settle(SignedPermit signed) {
    TransferPermit permit = signed.permit();
    byte[] signature = signed.signature();
    int padded = (signature.length + Keccak.BYTES - 1) / Keccak.BYTES * Keccak.BYTES;
    byte[] words = new byte[(HEAD_WORDS + 1) * Keccak.BYTES + padded];
    AbiWords.write(words, 0, permit.token());
    AbiWords.write(words, 1, permit.amount());
    AbiWords.write(words, 2, permit.nonce());
    AbiWords.write(words, 3, permit.deadline());
    AbiWords.write(words, 4, permit.from());
    AbiWords.write(words, 5, permit.payTo());
    AbiWords.write(words, 6, permit.validAfter());
    AbiWords.write(words, 7, HEAD_WORDS * Keccak.BYTES);
    AbiWords.write(words, HEAD_WORDS, signature.length);
    System.arraycopy(signature, 0, words, (HEAD_WORDS + 1) * Keccak.BYTES, signature.length);
    return data(SETTLE, new byte[0], words);
  }

  /**
   * Calldata of {@code settleWithPermit}: the same after the token has taken its permit, if it
   * does.
   */
  public static byte[] settle(SignedPermit signed, TokenPermit allowance) {
    byte[] words = settle(signed);
    words = Arrays.copyOfRange(words, SETTLE.length, words.length);
    AbiWords.write(words, HEAD_WORDS - 1, (long) (PERMIT_WORDS + HEAD_WORDS) * Keccak.BYTES);
    byte[] signature = allowance.signature();
    byte[] permit = new byte[PERMIT_WORDS * Keccak.BYTES];
    AbiWords.write(permit, 0, allowance.amount());
    AbiWords.write(permit, 1, allowance.deadline());
    AbiWords.write(permit, 2, Arrays.copyOf(signature, Keccak.BYTES));
    AbiWords.write(permit, 3, Arrays.copyOfRange(signature, Keccak.BYTES, 2 * Keccak.BYTES));
    int v = Byte.toUnsignedInt(signature[2 * Keccak.BYTES]);
    AbiWords.write(permit, 4, v < V_OFFSET ? v + V_OFFSET : v);
    return data(SETTLE_WITH_PERMIT, permit, words);
  }

  private static byte[] data(byte[] selector, byte[] first, byte[] words) {
    return ByteBuffer.allocate(selector.length + first.length + words.length)
        .put(selector)
        .put(first)
        .put(words)
        .array();
  }

  /** Reads calldata of the exact proxy; empty if it is none that moves money. */
  public static Optional<SettleCall> read(byte[] data) {
    int first = begins(data, SETTLE) ? 0 : begins(data, SETTLE_WITH_PERMIT) ? PERMIT_WORDS : -1;
    if (first < 0 || data.length < SETTLE.length + (first + HEAD_WORDS) * Keccak.BYTES) {
      return Optional.empty();
    }
    return Optional.of(
        new SettleCall(
            address(data, first),
            number(data, first + 1),
            number(data, first + 2),
            number(data, first + 3),
            address(data, first + 4),
            address(data, first + 5)));
  }

  private static boolean begins(byte[] data, byte[] selector) {
    return data.length >= selector.length
        && Arrays.equals(data, 0, selector.length, selector, 0, selector.length);
  }

  private static BigInteger number(byte[] data, int index) {
    return new BigInteger(1, data, SETTLE.length + index * Keccak.BYTES, Keccak.BYTES);
  }

  private static EvmAddress address(byte[] data, int index) {
    int end = SETTLE.length + (index + 1) * Keccak.BYTES;
    return EvmAddress.parse(Hex.of(Arrays.copyOfRange(data, end - EvmAddress.BYTES, end)));
  }
}
