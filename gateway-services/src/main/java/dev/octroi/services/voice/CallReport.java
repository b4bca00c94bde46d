package dev.octroi.services.voice;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * What the vendor says of a call.
 *
 * @param minutes how long it lasted, so far or in all
 * @param answeredBy such as {@code human} or {@code voicemail}
 * @param transcript turns separated by a newline, each prefixed with its speaker
 * @param recording an address of the vendor's
 * @param transferredTo whom it was handed to, E.164
 */
public record CallReport(
    CallStatus status,
    Optional<BigDecimal> minutes,
    Optional<String> answeredBy,
    Optional<String> transcript,
    Optional<String> recording,
    Optional<String> transferredTo) {

  /** A report of nothing but where the call stands. */
  public static CallReport of(CallStatus status) {
    return new CallReport(
        status,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
