package dev.octroi.payments.facilitator;

/**
 * What a remote facilitator says it supports, asked once.
 *
 * @param facilitator scheme and host of its address
 * @param network CAIP-2 id of the network that it was asked about
 * @param answer what it said
 */
public record FacilitatorReport(String facilitator, String network, Answer answer) {

  /** What a facilitator says of a network. */
  public enum Answer {
    SETTLES,
    DOES_NOT_SETTLE,
    /** It gave no usable answer: not reached, or the credential was refused. */
    NONE
  }
}
