package dev.octroi.reference.architecture.broken.payments.x402;

import dev.octroi.reference.architecture.broken.payments.flow.Turnstile;
import jakarta.ws.rs.core.Response;

/** A message that knows the gate above it, which knows the message: a cycle. */
public record LeakyMessage(Response response, Turnstile gate) {}
