package dev.octroi.payments.evm.permit2;

import dev.octroi.payments.evm.AbiWords;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Keccak;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A kind of what payers sign together with a permit for Permit2 (EIP-712). Thread-safe. */
public final class PermitWitness {

  private static final String TOKEN_TYPE = "TokenPermissions(address token,uint256 amount)";
  private static final byte[] TOKEN_HASH = hash(TOKEN_TYPE);
  private static final byte[] DOMAIN_HASH =
      hash("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
  private static final byte[] NAME_HASH = hash("Permit2");
  private static final byte[] EIP_712_PREFIX = {0x19, 0x01};

  private final byte[] witnessHash;
  private final byte[] permitHash;

  /**
   * Makes a kind.
   *
   * @param name of its type, such as Witness
   * @param members as the type lists them
   */
  public PermitWitness(String name, String members) {
    String type = name + "(" + members + ")";
    witnessHash = hash(type);
    permitHash =
        hash(
            "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,"
                + "uint256 deadline,"
                + name
                + " witness)"
                + Stream.of(TOKEN_TYPE, type).sorted().collect(Collectors.joining()));
  }

  /**
   * What the payer signs on a chain: 32 bytes.
   *
   * @param permitted what may be moved
   * @param spender who may use the permit
   * @param nonce any number of 256 bits
   * @param deadline the last second at which it may be used, in Unix seconds
   * @param members those of the witness, a word each
   */
  public byte[] digest(
      long chainId,
      Permitted permitted,
      EvmAddress spender,
      BigInteger nonce,
      BigInteger deadline,
      byte[] members) {
    byte[] token = words(3);
    AbiWords.write(token, 0, TOKEN_HASH);
    AbiWords.write(token, 1, permitted.token());
    AbiWords.write(token, 2, permitted.amount());
    byte[] permit = words(6);
    AbiWords.write(permit, 0, permitHash);
    AbiWords.write(permit, 1, Keccak.hash(token));
    AbiWords.write(permit, 2, spender);
    AbiWords.write(permit, 3, nonce);
    AbiWords.write(permit, 4, deadline);
    AbiWords.write(permit, 5, Keccak.hash(witnessHash, members));
    return Keccak.hash(EIP_712_PREFIX, separator(chainId), Keccak.hash(permit));
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

  private static byte[] hash(String type) {
    return Keccak.hash(type.getBytes(StandardCharsets.US_ASCII));
  }
}
