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
  }

  /**
   * One header.
   *
   * @param name of the header
   * @param scheme what stands before the secret, with its blank
   * @param secret never logged
   */
  record Header(String name, String scheme, String secret) implements Credential {
    @Override
    public Optional<String> headerName() {
      return Optional.of(name);
    }

    @Override
    public String headerValue() {
      return scheme + secret;
    }

    @Override
    public String toString() {
      return name + ": " + scheme + "***";
    }
  }
}
