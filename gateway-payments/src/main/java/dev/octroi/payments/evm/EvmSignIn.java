package dev.octroi.payments.evm;

import dev.octroi.payments.x402.SignInMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A message by which a wallet of an EVM chain signs in: the text of EIP-4361, hashed as EIP-191
 * says.
 *
 * @param account who is to have signed it
 * @param digest what was signed, 32 bytes
 * @param signature as it came
 */
public record EvmSignIn(EvmAddress account, byte[] digest, byte[] signature) {

  private static final String PREFIX = "\u0019Ethereum Signed Message:\n";

  /**
   * Reads a message.
   *
   * @throws IllegalArgumentException if account or signature are not hex of their form
   */
  public static EvmSignIn of(SignInMessage message) {
    return new EvmSignIn(
        EvmAddress.parse(message.address()),
        digest(SignInMessage.bytes(lines(message))),
        Hex.parse(message.signature()));
  }

  /** Whether the account's own key has signed it; a contract's word is the chain's to tell. */
  public boolean isSignedByKey() {
    return Signatures.fastest().isSignedBy(account, digest, signature);
  }

  private static List<String> lines(SignInMessage message) {
    List<String> lines = new ArrayList<>();
    lines.add(message.domain() + " wants you to sign in with your Ethereum account:");
    lines.add(message.address());
    lines.add("");
    if (message.statement() != null) {
      lines.add(message.statement());
    }
    lines.add("");
    lines.addAll(message.lines(message.chainId().substring(message.chainId().indexOf(':') + 1)));
    List<String> resources = message.resources();
    if (resources != null) {
      lines.add("Resources:");
      resources.forEach(resource -> lines.add("- " + resource));
    }
    return lines;
  }

  private static byte[] digest(byte[] text) {
    byte[] prefix = (PREFIX + text.length).getBytes(StandardCharsets.US_ASCII);
    return Keccak.hash(prefix, text);
  }
}
