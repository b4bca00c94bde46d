package dev.octroi.services.phone;

/** Where numbers are leased: other countries ask for proof of identity (specification, limits). */
public enum Country {
  US,
  CA
}
