package dev.octroi.payments.evm.chain;

/**
 * How much gas the gateway's transactions are given, their fixed costs included. A simulation is
 * given the same, or else a payer's contract passes that and burns the gas of the transaction.
 */
public final class GasLimits {

  /** A transfer with an account's signature takes 86,000 to 103,000. */
  public static final long TRANSFER = 130_000;

  /** By Permit2, 65,000 to 120,000 with a plain token; a token may take more. */
  public static final long PERMIT = 300_000;

  /** A wallet that checks signatures itself may take more, and more yet to be deployed first. */
  public static final long WALLET = 400_000;

  /** Of a wallet, and the transfer after it. */
  public static final long DEPLOYMENT = 2_000_000;

  private GasLimits() {}
}
