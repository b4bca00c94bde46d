package dev.octroi.services.language.catalogue;

/** How a model's tokens can be counted before it has run. */
public enum Tokenizer {
  /** By the published vocabulary of that name. */
  O200K,
  /** By the published vocabulary of that name. */
  CL100K,
  /**
   * The vocabulary is not public: a token has at least one byte, so there are no more than bytes.
   */
  BYTES
}
