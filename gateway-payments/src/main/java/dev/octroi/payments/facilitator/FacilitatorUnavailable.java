package dev.octroi.payments.facilitator;

/** No facilitator could be asked: nothing was decided, and nothing moved. */
public final class FacilitatorUnavailable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** An outage is logged once for each payment, so that it carries no stack trace. */
  public FacilitatorUnavailable(String message) {
    super(message, null, false, false);
  }
}
