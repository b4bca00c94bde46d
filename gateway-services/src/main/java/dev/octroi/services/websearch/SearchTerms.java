package dev.octroi.services.websearch;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;

/**
 * The words that are searched for.
 *
 * @param text not blank, at most 10,000 characters (specification, query length)
 */
public record SearchTerms(String text) {

  /** Unicode code points, as a caller counts them. */
  public static final int LONGEST = 10_000;

  /**
   * Checks the words.
   *
   * @throws Failure 400 {@code query_too_long}, or {@code invalid_params} for a blank query
   */
  public SearchTerms {
    if (text.isBlank()) {
      throw new Failure(ErrorCode.INVALID_PARAMS, "query is blank");
    }
    if (text.codePointCount(0, text.length()) > LONGEST) {
      throw new Failure(ErrorCode.QUERY_TOO_LONG, "query has more than 10,000 characters");
    }
  }
}
