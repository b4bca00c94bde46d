package dev.octroi.payments.account;

/**
 * Seals the private keys of managed wallets, by keys that are not in the database: here, or in a
 * key management service. Thread-safe.
 *
 * <p>Each secret is bound to its context as associated data, so that it opens nowhere else.
 */
public interface MasterKeys {

  /**
   * A sealed secret.
   *
   * @param keyId which master key sealed it, 1 to 64 characters
   * @param bytes meaningless without that key
   */
  record Sealed(String keyId, byte[] bytes) {}

  /** The id of the key that seals now; others still open what they sealed. */
  String current();

  /** Seals under the current key. */
  Sealed seal(byte[] secret, byte[] context);

  /**
   * Opens a sealed secret.
   *
   * @throws IllegalStateException if its key is not at hand, or it was sealed in another context
   */
  byte[] open(Sealed sealed, byte[] context);

  /** The gateway has no master key, so that it can neither make nor open managed wallets. */
  final class NoMasterKey extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public NoMasterKey() {
      super("without a master key (gateway.keys.master-key) there are no managed wallets");
    }
  }
}
