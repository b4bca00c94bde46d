package dev.octroi.services;

import java.util.Arrays;
import java.util.Optional;

/**
 * Why a vendor certainly did not do what had been paid for: what its caller is told, and whose
 * business it is. Kept as a sentence.
 */
public enum VendorRefusal {
  NUMBER(ErrorCode.INVALID_PHONE_NUMBER, "The network does not reach this number"),
  CALL_NOT_ACTIVE(ErrorCode.CALL_NOT_ACTIVE, "The call is not in progress"),
  CALL(ErrorCode.CALL_FAILED, "The call was refused by the network"),
  SOLD_OUT(ErrorCode.NUMBER_UNAVAILABLE, "The numbers that there were went to others"),
  /** Our key, our balance and our numbers at the vendor are the operator's business. */
  ACCOUNT(ErrorCode.UPSTREAM_FAILED, "The network refused the gateway"),
  BUSY(ErrorCode.UPSTREAM_UNAVAILABLE, "The network takes no more at the moment");

  private final ErrorCode code;
  private final String reason;

  VendorRefusal(ErrorCode code, String reason) {
    this.code = code;
    this.reason = reason;
  }

  /** In our own words, without a full stop. */
  public String reason() {
    return reason;
  }

  /** The error of a reason; empty for one that is none of these. */
  public static Optional<ErrorCode> code(String reason) {
    return Arrays.stream(values())
        .filter(refusal -> refusal.reason.equals(reason))
        .map(refusal -> refusal.code)
        .findFirst();
  }
}
