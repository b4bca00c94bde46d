package dev.octroi.reference.architecture.broken.payments;

import dev.octroi.reference.architecture.broken.services.HeldConnection;

/** Payments that see the services, and round. */
public record RoundedDollars(double amount, HeldConnection connection) {

  public void setAmount(double other) {
    System.out.println(amount + other);
  }
}
