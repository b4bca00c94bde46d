package dev.octroi.payments.solana;

import dev.octroi.payments.x402.SignInMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * A message by which a wallet of Solana signs in. Its address has one spelling, and capital letters
 * are others than small ones.
 *
 * @param account who is to have signed it
 * @param text what was signed
 * @param signature 64 bytes
 */
public record SolanaSignIn(SolanaAddress account, byte[] text, byte[] signature) {

  /**
   * Reads a message.
   *
   * @throws IllegalArgumentException if account or signature are not base58 of their length
   */
  public static SolanaSignIn of(SignInMessage message) {
    SolanaAddress account = SolanaAddress.parse(message.address());
    byte[] signature = Base58.decode(message.signature());
    if (signature.length != Ed25519.SIGNATURE_BYTES) {
      throw new IllegalArgumentException("a signature of Solana has 64 bytes");
    }
    return new SolanaSignIn(account, SignInMessage.bytes(lines(message)), signature);
  }

  /** Whether the account's key has signed it. */
  public boolean isSigned() {
    return Ed25519.verify(account, text, signature);
  }

  private static List<String> lines(SignInMessage message) {
    List<String> lines = new ArrayList<>();
    lines.add(message.domain() + " wants you to sign in with your Solana account:");
    lines.add(message.address());
    lines.add("");
    if (message.statement() != null) {
      lines.add(message.statement());
      lines.add("");
    }
    lines.addAll(message.lines(message.chainId().substring(message.chainId().indexOf(':') + 1)));
    List<String> resources = message.resources();
    if (resources != null && !resources.isEmpty()) {
      lines.add("Resources:");
      resources.forEach(resource -> lines.add("- " + resource));
    }
    return lines;
  }
}
