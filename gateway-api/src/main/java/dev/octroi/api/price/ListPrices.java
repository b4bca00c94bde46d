package dev.octroi.api.price;

/** The listed prices of the methods that are no rows, in decimal dollars. */
public final class ListPrices {

  /** A SQL statement or a structured query on chain data. */
  public static final String ONCHAIN = "0.0095";

  /** The identities of several wallets. */
  public static final String IDENTITIES = "0.0095";

  private ListPrices() {}
}
