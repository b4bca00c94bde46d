package dev.octroi.sandbox.cryptodata;

import java.time.Clock;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What the families share: the time, in steps, and which identifiers exist.
 *
 * @param clock the time source
 */
record World(Clock clock) {

  /** Answers within one step are alike. */
  private static final long STEP = 5;

  /**
   * No wallet, token or transaction has an identifier that starts so: it is there to be unknown.
   */
  private static final String UNKNOWN = "0x0c720100";

  private static final Pattern EVM = Pattern.compile("0x[0-9a-f]{40}");
  private static final Pattern BASE58 = Pattern.compile("[1-9A-HJ-NP-Za-km-z]{32,44}");
  private static final Pattern HASH = Pattern.compile("0x[0-9a-f]{64}");

  /** Unix seconds, in steps of five. */
  long now() {
    return clock.instant().getEpochSecond() / STEP * STEP;
  }

  /** A wallet or contract, in lower case where the case carries nothing. */
  String address(Ask ask) {
    return address(ask.text("address"));
  }

  /**
   * As {@link #address(Ask)}.
   *
   * @throws Refusal 404 for the unknown one and for what is no address
   */
  String address(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (EVM.matcher(lower).matches() && !lower.startsWith(UNKNOWN)) {
      return lower;
    }
    if (BASE58.matcher(text).matches()) {
      return text;
    }
    throw Refusal.notFound("Address");
  }

  /** A transaction hash; 404 for the unknown one and for what is no hash. */
  String transaction(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (HASH.matcher(lower).matches() && !lower.startsWith(UNKNOWN)) {
      return lower;
    }
    throw Refusal.notFound("Transaction");
  }
}
