package dev.octroi.reference.architecture.broken.payments.flow;

import dev.octroi.reference.architecture.broken.payments.x402.LeakyMessage;

/** A gate with its part of the cycle. */
public interface Turnstile {

  void pass(LeakyMessage message) throws InterruptedException;
}
