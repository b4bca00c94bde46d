package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.List;

/**
 * A question with several outcomes, each of which is a market.
 *
 * @param id number at venue A
 * @param slug name in addresses; of a game its {@code game_id}
 * @param title the question
 * @param category category at the venues
 * @param series ticker of the series at venue B
 * @param ticker ticker of the event at venue B
 * @param created when it was listed
 * @param end when it resolves
 * @param exclusive whether exactly one outcome can come true
 */
record Event(
    String id,
    String slug,
    String title,
    String category,
    String series,
    String ticker,
    Instant created,
    Instant end,
    boolean exclusive) {

  boolean closed(Instant now) {
    return !now.isBefore(end);
  }

  String status(Instant now) {
    return closed(now) ? "closed" : "open";
  }

  List<String> tags() {
    return List.of(category, slug.split("-")[0]);
  }
}
