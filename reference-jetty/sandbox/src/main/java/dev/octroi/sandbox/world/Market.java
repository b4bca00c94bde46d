package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Chance;
import dev.octroi.sandbox.formula.Item;
import dev.octroi.sandbox.formula.Values;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One claim that comes true or not, and the venues that trade it.
 *
 * @param event what it belongs to
 * @param code its number, which all of its identifiers stand for
 * @param slug name in addresses
 * @param key from which its trade follows
 * @param title the claim as a question
 * @param label the outcome that it is about
 * @param mark last part of its ticker
 * @param yes what the venue calls the side that pays if it comes true
 * @param no what it calls the other
 * @param odds what it costs
 */
record Market(
    Event event,
    int code,
    String slug,
    long key,
    String title,
    String label,
    String mark,
    String yes,
    String no,
    Odds odds)
    implements Item {

  /** Its condition has been removed with all data of its trading. */
  static final String ARCHIVED = "0x" + "0".repeat(60) + "0410";

  static final String ARCHIVED_SLUG = "sandbox-archived-market";

  Market(
      Event event,
      int code,
      String slug,
      String title,
      String label,
      String mark,
      String yes,
      String no,
      Odds odds) {
    this(event, code, slug, Chance.key(slug), title, label, mark, yes, no, odds);
  }

  /** A number that fits the vendors' 77 digits. */
  static final int TOKEN_BYTES = 32;

  static final int OUTCOME_BYTES = 10;

  /** One side of a market. */
  record Side(Market market, boolean isYes) implements Item {

    String label() {
      return isYes ? market.yes : market.no;
    }

    /** Its token at venue A. */
    String token() {
      return new BigInteger(1, Seal.sealed("token", number(), TOKEN_BYTES)).toString();
    }

    /** Its identifier over all venues. */
    String outcome() {
      byte[] sealed = Seal.sealed("outcome", number(), OUTCOME_BYTES);
      return "px-" + new BigInteger(1, sealed).toString(36);
    }

    private long number() {
      return market.code * 2L + (isYes ? 1 : 0);
    }

    double price(Venue venue, long time) {
      return market.price(venue, isYes, time);
    }

    /** Its token at a venue. */
    String token(Venue venue) {
      String name = market.slug + isYes;
      return switch (venue) {
        case A -> token();
        case B -> market.ticker() + (isYes ? "-yes" : "-no");
        case C -> Chance.base58(Chance.key("mint", name));
        default -> Chance.digits(Chance.key(venue, name), 77);
      };
    }

    @Override
    public String type() {
      return "side";
    }

    @Override
    public @Nullable Object get(String name, long time) {
      return switch (name) {
        case "label" -> label();
        case "token" -> token();
        case "outcome" -> outcome();
        case "is_yes" -> isYes;
        case "word" -> isYes ? "yes" : "no";
        case "price" -> price(Venue.A, time);
        case "market" -> market;
        default -> NONE;
      };
    }
  }

  Side side(boolean yesSide) {
    return new Side(this, yesSide);
  }

  boolean isAt(Venue venue) {
    return event.venues().contains(venue);
  }

  boolean isArchived() {
    return slug.equals(ARCHIVED_SLUG);
  }

  boolean isClosed(long time) {
    return event.isClosed(time);
  }

  String condition() {
    return isArchived() ? ARCHIVED : sealed("condition");
  }

  String ticker() {
    return event.ticker() + "-" + mark;
  }

  /** The condition at a venue other than A. */
  String condition(Venue venue) {
    return venue == Venue.A ? condition() : sealed("condition " + venue);
  }

  private String sealed(String kind) {
    return "0x" + HexFormat.of().formatHex(Seal.sealed(kind, code, 32));
  }

  /** What a side costs at a venue: 1 or 0 once the market is resolved. */
  double price(Venue venue, boolean yesSide, long time) {
    double yesPrice = isClosed(time) ? odds.comesTrue() ? 1 : 0 : odds.at(venue, time);
    return yesSide ? yesPrice : Values.round(1 - yesPrice, 3);
  }

  static List<String> words(Set<Venue> venues) {
    return venues.stream().sorted().map(Venue::word).toList();
  }

  @Override
  public String type() {
    return "market";
  }

  @Override
  public @Nullable Object get(String name, long time) {
    return switch (name) {
      case "event" -> event;
      case "index" -> (long) code;
      case "id" -> Integer.toString(code);
      case "slug" -> slug;
      case "title" -> title;
      case "label" -> label;
      case "mark" -> mark;
      case "ticker" -> ticker();
      case "condition" -> condition();
      case "question" -> sealed("question");
      case "archived" -> isArchived();
      case "yes" -> side(true);
      case "no" -> side(false);
      case "sides" -> List.of(side(true), side(false));
      case "price" -> price(Venue.A, true, time);
      case "winner" -> isClosed(time) ? side(odds.comesTrue()).label() : null;
      case "comes_true" -> odds.comesTrue();
      case "chance" -> odds.chance();
      case "volume" -> Flow.total(this, time);
      case "open_interest" -> Flow.openInterest(this, time);
      case "liquidity" -> Flow.liquidity(this, time);
      case "key" -> key;
      default -> event.get(name, time);
    };
  }
}
