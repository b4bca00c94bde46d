package dev.octroi.payments.account;

/**
 * A key at the only moment when its secret is known here: it is shown once and kept nowhere.
 *
 * @param key the key
 * @param secret {@code sk-} and 43 characters of base64url
 */
public record IssuedKey(ApiKey key, String secret) {

  /** Everything but the secret. */
  @Override
  public String toString() {
    return "IssuedKey[" + key + ", secret ***]";
  }
}
