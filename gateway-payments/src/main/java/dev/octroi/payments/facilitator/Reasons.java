package dev.octroi.payments.facilitator;

import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What to make of the reasons that remote facilitators give. */
final class Reasons {

  static final String INVALID = "invalid_payment";
  static final String MALFORMED = "facilitator_answer_malformed";
  static final String UNREACHABLE = "facilitator_unreachable";
  static final String NO_ANSWER = "facilitator_no_answer";

  /** What a facilitator of our own kind says of a payment that it sent to nobody. */
  static final String NOT_SENT = "settlement_not_sent";

  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.:-]{1,100}");

  /** Rules of the scheme that a payment breaks before anything is sent. */
  private static final Pattern BROKEN_RULE =
      Pattern.compile("invalid_exact_(?:evm|svm|solana)(?:_[a-z0-9_]+)?");

  /** Somebody moved this money before, and it may have been us. */
  private static final Pattern USED = Pattern.compile(".*(?:nonce|used|duplicate|pending|state).*");

  private static final Pattern ITS_OWN =
      Pattern.compile("unexpected_[a-z0-9_]+|internal_[a-z0-9_]+|[a-z0-9_]*timed?_?out");

  private static final Set<String> NEVER_SENT =
      Set.of(
          "asset_not_deployed_contract",
          "eip6492_factory_not_allowed",
          "insufficient_balance",
          "insufficient_funds",
          "invalid_network",
          "invalid_payload",
          "invalid_payment",
          "invalid_payment_requirements",
          "invalid_scheme",
          "invalid_x402_version",
          "network_mismatch",
          "payment_expired",
          "undeployed_smart_wallet",
          "unsupported_network",
          "unsupported_scheme");

  private Reasons() {}

  /** A reason as it may go to a payer: a word, or a general one in its place. */
  static String word(@Nullable String reason, String otherwise) {
    return reason != null && WORD.matcher(reason).matches() ? reason : otherwise;
  }

  /** Whether the facilitator failed, rather than the payment. */
  static boolean isItsOwn(@Nullable String reason) {
    return reason != null && ITS_OWN.matcher(reason).matches();
  }

  /** Whether this reason says for certain that nothing was sent and nothing will be. */
  static boolean isCertain(@Nullable String reason) {
    return reason != null
        && (NEVER_SENT.contains(reason)
            || (BROKEN_RULE.matcher(reason).matches() && !USED.matcher(reason).matches()));
  }
}
