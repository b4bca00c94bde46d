package dev.octroi.api.price;

/** The listed prices of the methods that are no rows, in decimal dollars. */
public final class ListPrices {

  /** A SQL statement or a structured query on chain data. */
  public static final String ONCHAIN = "0.0095";

  /** The identities of several wallets. */
  public static final String IDENTITIES = "0.0095";

  /** A web search. */
  public static final String SEARCH = "0.012";

  /** Pages that are like a page. */
  public static final String FIND_SIMILAR = "0.012";

  /** The contents of pages. */
  public static final String CONTENTS = "0.004";

  /** An answer with its sources. */
  public static final String ANSWER = "0.012";

  /** Passages of pages. */
  public static final String HIGHLIGHTS = "0.002";

  /** A phone number for 30 days. */
  public static final String NUMBER_BUY = "5.002";

  /** The caller's phone numbers. */
  public static final String NUMBER_LIST = "0.003";

  /** A phone number given back. */
  public static final String NUMBER_RELEASE = "0.003";

  /** A phone number for 30 days more. */
  public static final String NUMBER_RENEW = "5.00";

  /** Who carries a phone number. */
  public static final String PHONE_LOOKUP = "0.01";

  /** What speaks for and against trusting a phone number. */
  public static final String PHONE_FRAUD = "0.05";

  /** A text message. */
  public static final String TEXT = "0.05";

  /** A call that is placed. */
  public static final String CALL = "0.54";

  /** A call that is handed over. */
  public static final String CALL_TRANSFER = "0.54";

  /** A call that is ended. */
  public static final String CALL_END = "0.001";

  private ListPrices() {}
}
