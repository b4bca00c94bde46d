package dev.octroi.payments.evm.permit2;

import dev.octroi.payments.evm.AbiWords;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Keccak;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A payer's permission to move tokens once by Permit2, to one recipient.
 *
 * @param from the payer, who signs and is not part of what is signed
 * @param token the token's contract
 * @param amount atomic units
 * @param spender who may use the permit
 * @param nonce any number of 256 bits
 * @param deadline the last second at which it may be used, in Unix seconds
 * @param payTo the recipient
 * @param validAfter the first such second
 * @param facilitator who alone may use it, in the upto scheme; null in the exact one
 */
public record TransferPermit(
    EvmAddress from,
    EvmAddress token,
    BigInteger amount,
    EvmAddress spender,
    BigInteger nonce,
    BigInteger deadline,
    EvmAddress payTo,
    BigInteger validAfter,
    @Nullable EvmAddress facilitator) {

  private static final String TOKEN_TYPE = "TokenPermissions(address token,uint256 amount)";
  private static final String WITNESS_TYPE = "Witness(address to,uint256 validAfter)";
  private static final String UPTO_WITNESS_TYPE =
      "Witness(address to,address facilitator,uint256 validAfter)";

  private static final byte[] TOKEN_HASH = hash(TOKEN_TYPE);
  private static final byte[] WITNESS_HASH = hash(WITNESS_TYPE);
  private static final byte[] UPTO_WITNESS_HASH = hash(UPTO_WITNESS_TYPE);
  private static final byte[] PERMIT_HASH = permitHash(WITNESS_TYPE);
  private static final byte[] UPTO_PERMIT_HASH = permitHash(UPTO_WITNESS_TYPE);
  private static final byte[] DOMAIN_HASH =
      hash("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
  private static final byte[] NAME_HASH = hash("Permit2");
  private static final byte[] EIP_712_PREFIX = {0x19, 0x01};

  /** What the payer signs on a chain: 32 bytes. */
  public byte[] digest(long chainId) {
    byte[] permitted = words(3);
    AbiWords.write(permitted, 0, TOKEN_HASH);
    AbiWords.write(permitted, 1, token);
    AbiWords.write(permitted, 2, amount);
    byte[] permit = words(6);
    AbiWords.write(permit, 0, facilitator == null ? PERMIT_HASH : UPTO_PERMIT_HASH);
    AbiWords.write(permit, 1, Keccak.hash(permitted));
    AbiWords.write(permit, 2, spender);
    AbiWords.write(permit, 3, nonce);
    AbiWords.write(permit, 4, deadline);
    AbiWords.write(permit, 5, Keccak.hash(witness()));
    return Keccak.hash(EIP_712_PREFIX, separator(chainId), Keccak.hash(permit));
  }

  private byte[] witness() {
    byte[] witness = words(facilitator == null ? 3 : 4);
    AbiWords.write(witness, 0, facilitator == null ? WITNESS_HASH : UPTO_WITNESS_HASH);
    AbiWords.write(witness, 1, payTo);
    if (facilitator == null) {
      AbiWords.write(witness, 2, validAfter);
    } else {
      AbiWords.write(witness, 2, facilitator);
      AbiWords.write(witness, 3, validAfter);
    }
    return witness;
  }

  private static byte[] separator(long chainId) {
    byte[] domain = words(4);
    AbiWords.write(domain, 0, DOMAIN_HASH);
    AbiWords.write(domain, 1, NAME_HASH);
    AbiWords.write(domain, 2, chainId);
    AbiWords.write(domain, 3, Permit2.ADDRESS);
    return Keccak.hash(domain);
  }

  private static byte[] words(int count) {
    return new byte[count * Keccak.BYTES];
  }

  private static byte[] permitHash(String witness) {
    return hash(
        "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,"
            + "uint256 deadline,Witness witness)"
            + TOKEN_TYPE
            + witness);
  }

  private static byte[] hash(String type) {
    return Keccak.hash(type.getBytes(StandardCharsets.US_ASCII));
  }
}
