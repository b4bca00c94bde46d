package dev.octroi.payments.evm.permit2;

import dev.octroi.payments.evm.AbiWords;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.TokenDomain;
import java.math.BigInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A kind of what payers sign together with a permit for Permit2 (EIP-712). Thread-safe. */
public final class PermitWitness {

  private static final String TOKEN_TYPE = "TokenPermissions(address token,uint256 amount)";
  private static final byte[] TOKEN_HASH = Keccak.ofText(TOKEN_TYPE);
  private static final byte[] DOMAIN_HASH =
      Keccak.ofText("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
  private static final byte[] NAME_HASH = Keccak.ofText("Permit2");
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
    witnessHash = Keccak.ofText(type);
    permitHash =
        Keccak.ofText(
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
    byte[] token = AbiWords.of(TOKEN_HASH, permitted.token(), permitted.amount());
    byte[] permit =
        AbiWords.of(
            permitHash,
            Keccak.hash(token),
            spender,
            nonce,
            deadline,
            Keccak.hash(witnessHash, members));
    return TokenDomain.digest(separator(chainId), permit);
  }

  private static byte[] separator(long chainId) {
    return Keccak.hash(AbiWords.of(DOMAIN_HASH, NAME_HASH, chainId, Permit2.ADDRESS));
  }
}
