package dev.octroi.sandbox.vendor;

/** One vendor's protocol, spoken by the sandbox. Thread-safe. */
public interface SandboxVendor {

  /**
   * The first path segment under which the sandbox server mounts this vendor, such as {@code
   * cryptodata}.
   */
  String mount();

  /**
   * Answers one request; unknown paths get the vendor's own 404. The calling thread is interrupted
   * when the caller has gone: long work should then be given up.
   */
  SandboxAnswer answer(SandboxRequest request);

  /** The vendor's own error shape, for a missing credential (401) and the failures asked for. */
  SandboxAnswer failure(int status, String message);

  /**
   * Whether a path is read without a credential: files that answers linked to.
   *
   * @param path below the vendor's base address
   */
  default boolean isPublic(String path) {
    return false;
  }

  /** The largest body that the vendor takes, in bytes: SQL and lists of addresses are small. */
  default int maxBody() {
    return 256 * 1024;
  }
}
