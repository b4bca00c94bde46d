package dev.octroi.services.language.price;

import dev.octroi.services.language.Reply.Usage;

/**
 * What a call costs beside its tokens, in millionths of a dollar, for the features of the vendor's
 * that it asks for.
 *
 * @param most all of them, each used as often as the call allows
 * @param search one web search, as far as {@code most} holds some
 * @param searches the web searches that {@code most} holds and the usage counts
 */
public record Surcharge(long most, long search, long searches) {

  /** No feature is asked for. */
  public static final Surcharge NONE = new Surcharge(0, 0, 0);

  /** What is charged, never more than {@code most}: all but searches that were not made. */
  long charge(Usage usage) {
    long spared = Math.max(0, searches - Math.max(0, usage.searches()));
    return most - search * spared;
  }
}
