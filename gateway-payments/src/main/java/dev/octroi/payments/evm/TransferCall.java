package dev.octroi.payments.evm;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A call of {@code transferWithAuthorization} (EIP-3009), as a contract takes it: what is simulated
 * and what is sent are the same bytes.
 *
 * @param token the token's contract
 * @param data the calldata
 */
public record TransferCall(EvmAddress token, byte[] data) {

  /** The overload with v, r and s, for signatures of 65 bytes (x402, settle). */
  private static final byte[] SPLIT = Hex.parse("0xe3ee160e");

  /** The overload with bytes, for any other length. */
  private static final byte[] WHOLE = Hex.parse("0xcf092995");

  private static final int SELECTOR_BYTES = 4;
  private static final int TERMS = 6;
  private static final int SPLIT_WORDS = TERMS + 3;
  private static final int V_OFFSET = 27;

  private static final int FROM = 0;
  private static final int TO = 1;
  private static final int VALUE = 2;
  private static final int VALID_BEFORE = 4;
  private static final int NONCE = 5;

  /**
   * The call for a signed authorization; the signature's length alone chooses the overload.
   *
   * @param contract whether the payer has code: a wallet gives v a meaning of its own, while the
   *     token wants 27 or 28 from everybody else
   */
  public static TransferCall of(EvmAddress token, SignedAuthorization signed, boolean contract) {
    byte[] signature = signed.signature();
    byte[] data =
        signature.length == Signatures.BYTES
            ? split(signed.authorization(), signature, contract)
            : whole(signed.authorization(), signature);
    return new TransferCall(token, data);
  }

  private static byte[] split(
      TransferAuthorization authorization, byte[] signature, boolean contract) {
    byte[] words = new byte[SPLIT_WORDS * Keccak.BYTES];
    writeTerms(words, authorization);
    int v = signature[Signatures.BYTES - 1] & 0xff;
    Words.write(words, TERMS, contract || v >= V_OFFSET ? v : v + V_OFFSET);
    System.arraycopy(signature, 0, words, (TERMS + 1) * Keccak.BYTES, 2 * Keccak.BYTES);
    return concat(SPLIT, words);
  }

  private static byte[] whole(TransferAuthorization authorization, byte[] signature) {
    int padded = (signature.length + Keccak.BYTES - 1) / Keccak.BYTES;
    byte[] words = new byte[(TERMS + 2 + padded) * Keccak.BYTES];
    writeTerms(words, authorization);
    Words.write(words, TERMS, (long) (TERMS + 1) * Keccak.BYTES);
    Words.write(words, TERMS + 1, signature.length);
    System.arraycopy(signature, 0, words, (TERMS + 2) * Keccak.BYTES, signature.length);
    return concat(WHOLE, words);
  }

  private static void writeTerms(byte[] words, TransferAuthorization authorization) {
    authorization.from().writeWord(words, FROM * Keccak.BYTES);
    authorization.to().writeWord(words, TO * Keccak.BYTES);
    Words.write(words, VALUE, authorization.value());
    Words.write(words, 3, authorization.validAfter());
    Words.write(words, VALID_BEFORE, authorization.validBefore());
    Words.write(words, NONCE, authorization.nonce());
  }

  private static byte[] concat(byte[] selector, byte[] words) {
    return ByteBuffer.allocate(selector.length + words.length).put(selector).put(words).array();
  }

  /** Whether the signature is of the one form that every account without code makes. */
  public boolean isSplit() {
    return Arrays.equals(data, 0, SELECTOR_BYTES, SPLIT, 0, SELECTOR_BYTES);
  }

  public EvmAddress payer() {
    return address(FROM);
  }

  public EvmAddress payTo() {
    return address(TO);
  }

  /** Atomic units. */
  public BigInteger amount() {
    return new BigInteger(1, word(VALUE));
  }

  /** Unix seconds. */
  public BigInteger validBefore() {
    return new BigInteger(1, word(VALID_BEFORE));
  }

  /** 32 bytes. */
  public byte[] nonce() {
    return word(NONCE);
  }

  private EvmAddress address(int index) {
    byte[] word = word(index);
    return EvmAddress.parse(
        Hex.of(Arrays.copyOfRange(word, Keccak.BYTES - EvmAddress.BYTES, Keccak.BYTES)));
  }

  private byte[] word(int index) {
    int start = SELECTOR_BYTES + index * Keccak.BYTES;
    return Arrays.copyOfRange(data, start, start + Keccak.BYTES);
  }
}
