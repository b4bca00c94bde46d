package dev.octroi.payments.ledger;

/** What a work's end means to the memory of this node; called on the writer's thread. */
interface CompletionListener<T> {

  /** It is durable; the caller has not been told yet. */
  default void done(T result) {}

  /** It is durable, but the caller had given up before. */
  default void unheard(T result) {}

  /** It failed or was skipped. */
  default void notDone() {}

  /** Nothing to remember. */
  static <T> CompletionListener<T> none() {
    return new CompletionListener<>() {};
  }
}
