package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.Set;

/**
 * One claim that comes true or not, and the venues that trade it.
 *
 * @param event what it belongs to
 * @param index its number in the universe, from which the venues' numbers follow
 * @param slug name in addresses
 * @param title the claim as a question
 * @param label the outcome it is about
 * @param code last part of its ticker
 * @param conditionId identifier at venue A
 * @param yes the side that pays if it comes true
 * @param no the other side
 * @param chance the price it wanders around, 0 to 1
 * @param comesTrue how it resolves, which shows when it has closed
 * @param venues where it is traded
 */
record Market(
    Event event,
    int index,
    String slug,
    String title,
    String label,
    String code,
    String conditionId,
    Side yes,
    Side no,
    double chance,
    boolean comesTrue,
    Set<Venue> venues) {

  /** Its condition has been removed with all data of its trading. */
  static final String ARCHIVED = "0x" + "0".repeat(60) + "0410";

  /**
   * One side of a market.
   *
   * @param label what the venue calls it
   * @param tokenId token at venue A
   * @param outcomeId the vendor's identifier over all venues
   */
  record Side(String label, String tokenId, String outcomeId) {}

  Side side(boolean yesSide) {
    return yesSide ? yes : no;
  }

  boolean at(Venue venue) {
    return venues.contains(venue);
  }

  long key() {
    return Chance.key(slug);
  }

  boolean archived() {
    return conditionId.equals(ARCHIVED);
  }

  Instant created() {
    return event.created();
  }

  Instant end() {
    return event.end();
  }

  boolean closed(Instant now) {
    return event.closed(now);
  }

  String status(Instant now) {
    return event.status(now);
  }

  String winner() {
    return side(comesTrue).label();
  }

  String questionId() {
    return Chance.hex("question " + slug, 64);
  }

  /** Number at venue A. */
  String marketId() {
    return String.valueOf(512_000 + index);
  }

  /** Ticker at venues B and C. */
  String ticker() {
    return event.ticker() + "-" + code;
  }

  /** Number at the venues that number their markets. */
  int number(Venue venue) {
    return index + (venue == Venue.D ? 7_300 : venue == Venue.E ? 1_000 : 266_000);
  }

  /** The token of a side at venue C. */
  String mint(boolean yesSide) {
    return Chance.base58("mint " + ticker() + yesSide);
  }

  /** The token of a side at a venue other than A. */
  String token(Venue venue, boolean yesSide) {
    return Chance.token(venue + slug + yesSide);
  }
}
