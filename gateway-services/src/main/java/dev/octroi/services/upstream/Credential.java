package dev.octroi.services.upstream;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** How the gateway proves itself to an upstream; the secret never shows in {@code toString}. */
public sealed interface Credential {

  /** The name of the request header that carries it, if it has one. */
  Optional<String> headerName();

  /** The value of that header. */
  String headerValue();

  /**
   * What an upstream says in an error, without the secret: some repeat the headers that they
   * refuse.
   */
  byte[] withoutSecret(byte[] said);

  static Credential none() {
    return new None();
  }

  /** {@code Authorization: Bearer <secret>}. */
  static Credential bearer(String secret) {
    return new Header("Authorization", "Bearer ", secret);
  }

  /** A header of the vendor's own that holds nothing but the secret. */
  static Credential header(String name, String secret) {
    return new Header(name, "", secret);
  }

  /** {@code Authorization: Basic}, RFC 7617. */
  static Credential basic(String account, String secret) {
    byte[] pair = (account + ":" + secret).getBytes(StandardCharsets.UTF_8);
    return new Header("Authorization", "Basic ", Base64.getEncoder().encodeToString(pair));
  }

  /** An upstream that asks for nothing. */
  record None() implements Credential {
    @Override
    public Optional<String> headerName() {
      return Optional.empty();
    }

    @Override
    public String headerValue() {
      return "";
    }

    @Override
    public byte[] withoutSecret(byte[] said) {
      return said;
    }
  }

  /**
   * One header.
   *
   * @param name of the header
   * @param scheme what stands before the secret, with its blank
   * @param secret never logged
   */
  record Header(String name, String scheme, String secret) implements Credential {

    /** What is shorter may stand in any text. */
    private static final int SHORTEST = 6;

    @Override
    public Optional<String> headerName() {
      return Optional.of(name);
    }

    @Override
    public String headerValue() {
      return scheme + secret;
    }

    @Override
    public byte[] withoutSecret(byte[] said) {
      // One character a byte: what is no secret stays as it came, whatever its encoding.
      String text = new String(said, StandardCharsets.ISO_8859_1);
      String known =
          new String(secret.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
      return secret.length() < SHORTEST || !text.contains(known)
          ? said
          : text.replace(known, "***").getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
      return name + ": " + scheme + "***";
    }
  }
}
