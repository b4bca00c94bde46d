package dev.octroi.payments.evm;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * A payer's permission to move tokens once (EIP-3009).
 *
 * @param from the payer
 * @param to the recipient
 * @param value atomic units, 0 to 2^256 - 1
 * @param validAfter Unix seconds, 0 to 2^256 - 1
 * @param validBefore Unix seconds, 0 to 2^256 - 1
 * @param nonce 32 bytes
 */
public record TransferAuthorization(
    EvmAddress from,
    EvmAddress to,
    BigInteger value,
    BigInteger validAfter,
    BigInteger validBefore,
    byte[] nonce) {

  static final int NONCE_BYTES = 32;

  private static final byte[] TYPE_HASH =
      Keccak.hash(
          ("TransferWithAuthorization(address from,address to,uint256 value,"
                  + "uint256 validAfter,uint256 validBefore,bytes32 nonce)")
              .getBytes(StandardCharsets.US_ASCII));

  private static final byte[] EIP_712_PREFIX = {0x19, 0x01};

  /** What the payer signs for the token of this domain: 32 bytes. */
  public byte[] digest(TokenDomain domain) {
    return digest(domain.separator());
  }

  byte[] digest(byte[] domainSeparator) {
    byte[] words = new byte[7 * Keccak.BYTES];
    AbiWords.write(words, 0, TYPE_HASH);
    from.writeWord(words, Keccak.BYTES);
    to.writeWord(words, 2 * Keccak.BYTES);
    AbiWords.write(words, 3, value);
    AbiWords.write(words, 4, validAfter);
    AbiWords.write(words, 5, validBefore);
    AbiWords.write(words, 6, nonce);
    return Keccak.hash(EIP_712_PREFIX, domainSeparator, Keccak.hash(words));
  }

  /** The nonce in lower-case hex. */
  public String nonceHex() {
    return Hex.of(nonce);
  }
}
