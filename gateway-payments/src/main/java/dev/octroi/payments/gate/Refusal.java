package dev.octroi.payments.gate;

import jakarta.ws.rs.core.Response;

/** Ends a call before its method runs, with the answer to give instead. */
final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Response response;

  Refusal(Response response) {
    // Without a stack trace: refusing is the commonest thing a gate does.
    super(null, null, false, false);
    this.response = response;
  }

  Response response() {
    return response;
  }
}
