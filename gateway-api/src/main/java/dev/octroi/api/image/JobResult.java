package dev.octroi.api.image;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has come of a job so far.
 *
 * @param pictures where they are: names of assets, or whole addresses
 * @param progress the same for pictures of the work in progress, in their order
 * @param base64 whether bytes are wanted and not addresses
 * @param error why it failed; null if it did not
 */
record JobResult(
    List<String> pictures, List<String> progress, boolean base64, @Nullable Reason error) {

  /** What was asked for did not come about. */
  record Reason(String code, String message, boolean retryable) {

    /** A filter says the same again, and so does a bad request; an upstream may recover. */
    static Reason of(Failure failure) {
      boolean retryable =
          failure.code().status() >= 500 || failure.code() == ErrorCode.RATE_LIMITED;
      return new Reason(failure.code().code(), String.valueOf(failure.getMessage()), retryable);
    }
  }

  static final JobResult NONE = new JobResult(List.of(), List.of(), false, null);

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  JobResult {
    pictures = List.copyOf(pictures);
    progress = List.copyOf(progress);
  }

  static JobResult drawn(List<String> pictures, List<String> progress, boolean base64) {
    return new JobResult(pictures, progress, base64, null);
  }

  static JobResult failed(Failure failure, List<String> progress) {
    return new JobResult(List.of(), progress, false, Reason.of(failure));
  }

  byte[] json() {
    try {
      return MAPPER.writeValueAsBytes(this);
    } catch (JsonProcessingException unwritable) {
      throw new IllegalStateException("a record of texts can be written", unwritable);
    }
  }

  static JobResult of(byte[] json) {
    try {
      return MAPPER.readValue(json, JobResult.class);
    } catch (IOException unreadable) {
      throw new IllegalStateException("a job's result has an unknown form", unreadable);
    }
  }
}
