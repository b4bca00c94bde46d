package dev.octroi.payments.evm;

import java.math.BigInteger;

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
      Keccak.ofText(
          "TransferWithAuthorization(address from,address to,uint256 value,"
              + "uint256 validAfter,uint256 validBefore,bytes32 nonce)");

  /** What the payer signs for the token of this domain: 32 bytes. */
  public byte[] digest(TokenDomain domain) {
    return digest(domain.separator());
  }

  byte[] digest(byte[] domainSeparator) {
    byte[] words = AbiWords.of(TYPE_HASH, from, to, value, validAfter, validBefore, nonce);
    return TokenDomain.digest(domainSeparator, words);
  }

  /** The nonce in lower-case hex. */
  public String nonceHex() {
    return Hex.of(nonce);
  }
}
