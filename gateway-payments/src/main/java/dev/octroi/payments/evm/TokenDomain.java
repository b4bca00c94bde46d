package dev.octroi.payments.evm;

import dev.octroi.payments.x402.PaymentRequirements;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What ties a signature to one contract on one chain (EIP-712), such as a token's.
 *
 * @param name the contract's EIP-712 name
 * @param version the contract's EIP-712 version
 * @param chainId the chain; 0 stands for a network that is no EVM chain
 * @param token the contract
 */
public record TokenDomain(String name, String version, long chainId, EvmAddress token) {

  private static final byte[] TYPE_HASH =
      Keccak.ofText(
          "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

  private static final byte[] EIP_712_PREFIX = {0x19, 0x01};

  private static final Pattern NETWORK = Pattern.compile("eip155:([1-9][0-9]{0,17})");

  /** The domain separator, 32 bytes; costs some microseconds, so it is worth keeping. */
  byte[] separator() {
    return Keccak.hash(
        AbiWords.of(TYPE_HASH, Keccak.ofText(name), Keccak.ofText(version), chainId, token));
  }

  /**
   * What is signed for a message in this domain: 32 bytes.
   *
   * @param words the type's hash and the members, encoded
   */
  public byte[] digest(byte[] words) {
    return digest(separator(), words);
  }

  /** The same in a domain whose separator is known. */
  public static byte[] digest(byte[] separator, byte[] words) {
    return Keccak.hash(EIP_712_PREFIX, separator, Keccak.hash(words));
  }

  /** The domain that an offer names; empty if {@code extra} or the asset do not name one. */
  public static Optional<TokenDomain> of(PaymentRequirements terms) {
    Map<String, Object> extra = terms.extra() == null ? Map.of() : terms.extra();
    if (extra.get("name") instanceof String name
        && extra.get("version") instanceof String version) {
      try {
        EvmAddress token = EvmAddress.parse(terms.asset());
        return Optional.of(new TokenDomain(name, version, chainId(terms.network()), token));
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** Whether the offer's network is an EVM chain. */
  public boolean isEvm() {
    return chainId != 0;
  }

  /** The chain of a CAIP-2 id, 0 if it is no EVM chain. */
  public static long chainId(String network) {
    Matcher matcher = NETWORK.matcher(network);
    return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
  }
}
