package dev.octroi.payments.ledger;

import dev.octroi.payments.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/**
 * The request that a payment was made for; a payment is taken for no other.
 *
 * @param method HTTP method
 * @param path canonical path, aliases resolved
 * @param query raw query string, empty where there is none
 * @param bodyHash SHA-256 of the body in hex
 */
public record RequestBinding(String method, String path, String query, String bodyHash) {

  /** One hash of all of it, SHA-256 in hex: a component never runs into the next. */
  public String hash() {
    MessageDigest digest = Sha256.digest();
    for (String part : List.of(method, path, query, bodyHash)) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
      digest.update(bytes);
    }
    return Sha256.hex(digest);
  }
}
