package dev.octroi.sandbox.vendor;

import dev.octroi.sandbox.contract.Contract;
import dev.octroi.sandbox.contract.Violation;

/** One vendor's protocol, spoken by the sandbox. Thread-safe. */
public interface SandboxVendor {

  /**
   * The first path segment under which the sandbox server mounts this vendor, such as {@code
   * cryptodata}.
   */
  String mount();

  /** What the vendor takes; nothing else reaches {@link #answer}. */
  Contract contract();

  /**
   * Answers one request that the contract knows. The calling thread is interrupted when the caller
   * has gone: long work should then be given up.
   */
  SandboxAnswer answer(SandboxRequest request);

  /** The vendor's own error shape, for the failures asked for. */
  SandboxAnswer failure(int status, String message);

  /** What the vendor says to a request that its contract refuses, in its own error shape. */
  default SandboxAnswer refusal(Violation violation) {
    int status =
        switch (violation.kind()) {
          case UNAUTHORIZED -> 401;
          case NO_PATH -> 404;
          case NO_METHOD -> 405;
          default -> 400;
        };
    return failure(status, violation.sentence());
  }

  /** The largest body that the vendor takes, in bytes: SQL and lists of addresses are small. */
  default int maxBody() {
    return 256 * 1024;
  }
}
