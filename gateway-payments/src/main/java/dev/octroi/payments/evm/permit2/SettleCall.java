package dev.octroi.payments.evm.permit2;

import dev.octroi.payments.evm.AbiWords;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.Signatures;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction asks a proxy to move, as far as its calldata says.
 *
 * @param token the token's contract
 * @param permitted what the permit allows, in atomic units
 * @param amount what is moved: all of that in the exact scheme
 * @param nonce the permit's
 * @param deadline the permit's, in Unix seconds
 * @param payer whose permit it is
 * @param payTo who is paid
 * @param facilitator who must send the transaction; null where anybody may, in the exact scheme
 */
public record SettleCall(
    EvmAddress token,
    BigInteger permitted,
    BigInteger amount,
    BigInteger nonce,
    BigInteger deadline,
    EvmAddress payer,
    EvmAddress payTo,
    @Nullable EvmAddress facilitator) {

  private static final int SELECTOR_BYTES = 4;

  /** The methods of the two proxies, with the words before the signature and its place. */
  private enum Method {
    SETTLE(0x13cd3b53, 0, 8),
    SETTLE_WITH_PERMIT(0xfa340378, 5, 8),
    UPTO(0xff11e7b4, 0, 10),
    UPTO_WITH_PERMIT(0x016c1748, 5, 10);

    private final int selector;

    /** The words of a token's own permit, which come first. */
    private final int first;

    private final int head;

    Method(int selector, int first, int others) {
      this.selector = selector;
      this.first = first;
      this.head = first + others;
    }

    static Method of(boolean upto, boolean withPermit) {
      if (upto) {
        return withPermit ? UPTO_WITH_PERMIT : UPTO;
      }
      return withPermit ? SETTLE_WITH_PERMIT : SETTLE;
    }

    boolean isUpto() {
      return this == UPTO || this == UPTO_WITH_PERMIT;
    }

    boolean isIn(byte[] data) {
      return data.length >= SELECTOR_BYTES + head * Keccak.BYTES
          && ByteBuffer.wrap(data).getInt() == selector;
    }
  }

  /**
   * Calldata of {@code settle}, or of {@code settleWithPermit}: the same after the token has taken
   * its permit, if it does.
   *
   * @param amount what is moved; in the exact scheme it is what the permit says
   * @param allowance the token's permit
   */
  public static byte[] settle(
      SignedPermit signed, BigInteger amount, Optional<TokenPermit> allowance) {
    TransferPermit permit = signed.permit();
    EvmAddress facilitator = permit.facilitator();
    byte[] signature = signed.signature();
    Method method = Method.of(facilitator != null, allowance.isPresent());
    int padded = (signature.length + Keccak.BYTES - 1) / Keccak.BYTES;
    byte[] words = new byte[(method.head + 1 + padded) * Keccak.BYTES];
    allowance.ifPresent(token -> write(words, token));
    int at = method.first;
    AbiWords.write(words, at++, permit.token());
    AbiWords.write(words, at++, permit.amount());
    AbiWords.write(words, at++, permit.nonce());
    AbiWords.write(words, at++, permit.deadline());
    if (facilitator != null) {
      AbiWords.write(words, at++, amount);
    }
    AbiWords.write(words, at++, permit.from());
    AbiWords.write(words, at++, permit.payTo());
    if (facilitator != null) {
      AbiWords.write(words, at++, facilitator);
    }
    AbiWords.write(words, at++, permit.validAfter());
    AbiWords.write(words, at++, (long) method.head * Keccak.BYTES);
    AbiWords.write(words, at++, signature.length);
    System.arraycopy(signature, 0, words, at * Keccak.BYTES, signature.length);
    return ByteBuffer.allocate(SELECTOR_BYTES + words.length)
        .putInt(method.selector)
        .put(words)
        .array();
  }

  private static void write(byte[] words, TokenPermit allowance) {
    byte[] signature = allowance.signature();
    AbiWords.write(words, 0, allowance.amount());
    AbiWords.write(words, 1, allowance.deadline());
    AbiWords.write(words, 2, Arrays.copyOf(signature, Keccak.BYTES));
    AbiWords.write(words, 3, Arrays.copyOfRange(signature, Keccak.BYTES, 2 * Keccak.BYTES));
    AbiWords.write(words, 4, Signatures.v(signature));
  }

  /** Reads calldata of a proxy; empty if it is none that moves money. */
  public static Optional<SettleCall> read(byte[] data) {
    return Stream.of(Method.values())
        .filter(method -> method.isIn(data))
        .findFirst()
        .map(method -> read(data, method));
  }

  private static SettleCall read(byte[] data, Method method) {
    int first = method.first;
    int next = first + (method.isUpto() ? 5 : 4);
    return new SettleCall(
        address(data, first),
        number(data, first + 1),
        number(data, method.isUpto() ? next - 1 : first + 1),
        number(data, first + 2),
        number(data, first + 3),
        address(data, next),
        address(data, next + 1),
        method.isUpto() ? address(data, next + 2) : null);
  }

  /** The contract whose calldata it is. */
  public EvmAddress proxy() {
    return Permit2.proxy(facilitator != null);
  }

  /** Who must send the transaction; empty where anybody may. */
  public Optional<EvmAddress> sender() {
    return Optional.ofNullable(facilitator);
  }

  private static BigInteger number(byte[] data, int index) {
    return new BigInteger(1, data, SELECTOR_BYTES + index * Keccak.BYTES, Keccak.BYTES);
  }

  private static EvmAddress address(byte[] data, int index) {
    int end = SELECTOR_BYTES + (index + 1) * Keccak.BYTES;
    return EvmAddress.of(Arrays.copyOfRange(data, end - EvmAddress.BYTES, end));
  }
}
