package dev.octroi.reference.architecture.broken.services;

/** A made-up name, which another public type has too. */
public record PriceDesk(String price) {}
