package dev.octroi.api.image;

import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Seals what is private in a job (prompt, payment header, pictures' addresses) with the key of
 * stored answers, each bound to its job and column. Thread-safe.
 */
record JobSeal(AnswerVault vault) {

  private static final byte REQUEST = 1;
  private static final byte ENVELOPE = 2;
  private static final byte RESULT = 3;

  byte[] request(UUID job, byte[] body) {
    return seal(job, REQUEST, body);
  }

  byte[] openRequest(UUID job, byte[] sealed) {
    return open(job, REQUEST, sealed);
  }

  byte @Nullable [] envelope(UUID job, Optional<String> header) {
    return header
        .map(text -> seal(job, ENVELOPE, text.getBytes(StandardCharsets.UTF_8)))
        .orElse(null);
  }

  /** Empty also for one that no key of this gateway opens: then the poll's own payment pays. */
  Optional<String> openEnvelope(UUID job, byte @Nullable [] sealed) {
    if (sealed == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(new String(open(job, ENVELOPE, sealed), StandardCharsets.UTF_8));
    } catch (IllegalStateException sealedByAnother) {
      return Optional.empty();
    }
  }

  byte[] result(UUID job, JobResult result) {
    return seal(job, RESULT, result.json());
  }

  /** A result that no key of this gateway opens is a failure, and its owner does not pay for it. */
  JobResult openResult(UUID job, byte @Nullable [] sealed) {
    if (sealed == null) {
      return JobResult.NONE;
    }
    try {
      return JobResult.of(open(job, RESULT, sealed));
    } catch (IllegalStateException sealedByAnother) {
      return JobResult.failed(
          new Failure(ErrorCode.INTERNAL, "The result can no longer be read"), List.of());
    }
  }

  private byte[] seal(UUID job, byte column, byte[] bytes) {
    byte[] marked = new byte[bytes.length + 1];
    marked[0] = column;
    System.arraycopy(bytes, 0, marked, 1, bytes.length);
    return vault.seal(job, marked);
  }

  private byte[] open(UUID job, byte column, byte[] sealed) {
    byte[] marked = vault.unsealed(job, sealed);
    if (marked.length == 0 || marked[0] != column) {
      throw new IllegalStateException("a job's column holds what belongs into another");
    }
    return Arrays.copyOfRange(marked, 1, marked.length);
  }
}
