package dev.octroi.reference.sandbox;

/** One vendor's protocol, spoken by the sandbox. Thread-safe. */
public interface SandboxVendor {

  /**
   * The first path segment under which the sandbox server mounts this vendor, such as {@code
   * cryptodata}.
   */
  String mount();

  /** Answers one request; unknown paths get the vendor's own 404. */
  SandboxAnswer answer(SandboxRequest request);
}
