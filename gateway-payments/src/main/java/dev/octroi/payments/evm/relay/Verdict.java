package dev.octroi.payments.evm.relay;

/** What a final transaction means for one of its payments. */
sealed interface Verdict {

  /** It moved the money. */
  record Paid() implements Verdict {}

  /** The authorization was used by another transaction, which must be found. */
  record UsedElsewhere() implements Verdict {}

  /** It failed with others and would succeed now: it goes out once more by itself, like this. */
  record Again(Draft draft) implements Verdict {}

  /** It failed and nothing moves it any more. */
  record Failed(String reason) implements Verdict {}
}
