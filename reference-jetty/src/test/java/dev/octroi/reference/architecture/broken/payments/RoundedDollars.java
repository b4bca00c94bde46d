package dev.octroi.reference.architecture.broken.payments;

import dev.octroi.reference.architecture.broken.payments.flow.Turnstile;
import dev.octroi.reference.architecture.broken.services.HeldConnection;

/** A floor that sees the services and what stands on it, and rounds. */
public record RoundedDollars(double amount, HeldConnection connection, Turnstile gate) {

  public void setAmount(double other) {
    System.out.println(amount + other);
  }
}
