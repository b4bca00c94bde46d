package dev.octroi.services.upstream;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * The header by which the gateway proves itself to an upstream; the secret never shows in {@code
 * toString}.
 *
 * @param name of the header; empty for an upstream that asks for nothing
 * @param scheme what stands before the secret, with its blank
 * @param secret never logged
 */
public record Credential(String name, String scheme, String secret) {

  /** What is shorter may stand in any text. */
  private static final int SHORTEST = 6;

  /** For an upstream that asks for nothing. */
  public static Credential none() {
    return new Credential("", "", "");
  }

  /** {@code Authorization: Bearer <secret>}. */
  public static Credential bearer(String secret) {
    return new Credential("Authorization", "Bearer ", secret);
  }

  /** A header of the vendor's own that holds nothing but the secret. */
  public static Credential header(String name, String secret) {
    return new Credential(name, "", secret);
  }

  /** {@code Authorization: Basic}, RFC 7617. */
  public static Credential basic(String account, String secret) {
    byte[] pair = (account + ":" + secret).getBytes(StandardCharsets.UTF_8);
    return new Credential("Authorization", "Basic ", Base64.getEncoder().encodeToString(pair));
  }

  /** The name of the request header that carries it, if it has one. */
  public Optional<String> headerName() {
    return name.isEmpty() ? Optional.empty() : Optional.of(name);
  }

  /** The value of that header. */
  public String headerValue() {
    return scheme + secret;
  }

  /**
   * What an upstream says in an error, without the secret: some repeat the headers that they
   * refuse.
   */
  public byte[] withoutSecret(byte[] said) {
    if (secret.length() < SHORTEST) {
      return said;
    }
    // One character a byte: what is no secret stays as it came, whatever its encoding.
    String text = new String(said, StandardCharsets.ISO_8859_1);
    String known = new String(secret.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    return text.contains(known)
        ? text.replace(known, "***").getBytes(StandardCharsets.ISO_8859_1)
        : said;
  }

  @Override
  public String toString() {
    return name + ": " + scheme + "***";
  }
}
