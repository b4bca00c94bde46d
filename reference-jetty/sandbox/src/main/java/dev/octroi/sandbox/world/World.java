package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Arguments;
import dev.octroi.sandbox.formula.Builtin;
import dev.octroi.sandbox.formula.Chance;
import dev.octroi.sandbox.formula.Formulas;
import dev.octroi.sandbox.formula.Row;
import dev.octroi.sandbox.formula.Values;
import dev.octroi.sandbox.vendor.Magic;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The world as functions of the language, and the definitions that both read vendors share. */
public final class World {

  /** No wallet, coin or transaction has an identifier that starts so: it is there to be unknown. */
  static final String UNKNOWN = "0x0c720100";

  private static final Pattern EVM = Pattern.compile("0x[0-9a-f]{40}");
  private static final Pattern BASE58 = Pattern.compile("[1-9A-HJ-NP-Za-km-z]{32,44}");
  private static final int BOOK_LEVELS = 10;

  private World() {}

  /**
   * The definitions of the world.
   *
   * @param vendor functions of a vendor
   */
  public static Formulas formulas(Builtin.Source vendor) {
    return new Formulas(
            name ->
                Stream.of(vendor, World::ofThings, World::ofChains, World::ofMarkets)
                    .flatMap(source -> Stream.ofNullable(source.of(name)))
                    .findFirst()
                    .orElse(null))
        .read(World.class, "world.txt");
  }

  private static @Nullable Builtin ofThings(String name) {
    return switch (name) {
      case "table" -> in -> Tables.rows(in.text(0), in.text(0) + "s.txt");
      case "item" -> in -> item(in.text(0), in.row(1));
      case "items" -> World::items;
      case "named" -> World::named;
      case "is_magic" -> in -> in.value(0) != null && Magic.in(in.text(0)).isPresent();
      case "sealed" -> World::sealed;
      case "opened" -> World::opened;
      case "asset" -> in -> Asset.of(in.text(0));
      case "assets" -> in -> Asset.ALL;
      case "asset_at" -> in -> Asset.at(in.text(0));
      case "pair" -> in -> Pair.of(in.text(0), in.of(1, Asset.class), in.of(2, Asset.class));
      case "extreme" -> in -> in.of(0, Pair.class).extreme(in.whole(1), in.whole(2), in.place(3));
      case "correct_address" -> in -> correct(in.text(0));
      case "is_base58" -> in -> Chance.isBase58Address(in.text(0));
      default -> null;
    };
  }

  private static Row item(String type, Row members) {
    Row row = new Row(type);
    row.putAll(members);
    return row;
  }

  private static List<Row> items(Arguments in) {
    List<Row> items = new ArrayList<>();
    for (Object each : in.list(0)) {
      items.add(item(in.text(1), (Row) each).with("index", (long) items.size()));
    }
    return items;
  }

  /**
   * The item of a list that one of its names is, in any case. A magic value stands for the first,
   * so that what it makes slow exists.
   */
  private static @Nullable Object named(Arguments in) {
    String text = in.text(1);
    if (Magic.in(text).isPresent()) {
      return in.list(0).get(0);
    }
    for (Object item : in.list(0)) {
      Object names = in.about(item, 2);
      for (Object name : names instanceof List<?> list ? list : List.of(Values.text(names))) {
        if (text.equalsIgnoreCase(Values.text(name))) {
          return item;
        }
      }
    }
    return null;
  }

  /** Of a kind, a whole number, a length in bytes and a radix. */
  private static String sealed(Arguments in) {
    byte[] sealed = Seal.sealed(in.text(0), in.whole(1), in.place(2));
    return new BigInteger(1, sealed).toString(in.place(3));
  }

  private static long opened(Arguments in) {
    byte[] sealed = Seal.bytes(in.text(1), in.place(3), in.place(2));
    return sealed == null ? -1 : Seal.number(in.text(0), sealed);
  }

  private static @Nullable String correct(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    boolean evm = EVM.matcher(lower).matches() && !lower.startsWith(UNKNOWN);
    return evm ? lower : BASE58.matcher(text).matches() ? text : null;
  }

  private static @Nullable Builtin ofChains(String name) {
    return switch (name) {
      case "chains" -> in -> Chain.ALL;
      case "chain_of" -> in -> Chain.of(in.text(0));
      case "entities" -> in -> Wallets.ENTITIES;
      case "entity_of" -> in -> Wallets.entity(in.text(0));
      case "wallets_of" -> in -> Wallets.on(chain(in, 0));
      case "transaction" -> in -> Activity.of(in.text(0), chain(in, 1));
      case "transactions_of" -> in -> Activity.of(in.text(0), chain(in, 1), in.scope().time());
      case "transactions" -> in -> Activity.between(chain(in, 0), in.whole(1), in.whole(2));
      case "blocks" -> in -> blocks(chain(in, 0), in.whole(1), in.whole(2));
      case "activity" -> World::activity;
      default -> null;
    };
  }

  private static Chain chain(Arguments in, int at) {
    return in.of(at, Chain.class);
  }

  private static List<Tx> activity(Arguments in) {
    Asset asset = in.of(0, Asset.class);
    return Activity.of(asset, chain(in, 1), in.truth(2), in.whole(3), in.whole(4));
  }

  /** The blocks of a chain between two times with their transactions, the newest first. */
  private static List<Row> blocks(Chain chain, long from, long to) {
    Map<Long, List<Tx>> listed = new HashMap<>();
    for (Tx tx : Activity.between(chain, from, to)) {
      listed.computeIfAbsent(tx.block(), any -> new ArrayList<>()).add(tx);
    }
    List<Row> blocks = new ArrayList<>();
    for (long number = chain.block(to); chain.time(number) >= from; number--) {
      blocks.add(
          Row.of("number", number, "time", chain.time(number))
              .with("hash", chain.blockHash(number))
              .with("transactions", listed.getOrDefault(number, List.of())));
    }
    return blocks;
  }

  private static @Nullable Builtin ofMarkets(String name) {
    return switch (name) {
      case "markets" -> in -> Calendar.of(in.scope().time()).markets(in.scope().time());
      case "windows" -> in -> Calendar.windows(in.scope().time(), in.place(0));
      case "market_of" -> in -> Calendar.find(in.text(0), in.scope().time());
      case "game_of" -> in -> Calendar.gameOf(in.text(0));
      case "leagues" -> in -> Calendar.LEAGUES;
      case "at_venue" -> in -> market(in).isAt(venue(in, 1));
      case "condition_at" -> in -> market(in).condition(venue(in, 1));
      case "share_at" -> in -> Flow.share(market(in), venue(in, 1));
      case "traded" -> in -> Flow.between(market(in), in.whole(1), in.whole(2));
      case "price_at" -> in -> side(in).price(venue(in, 1), in.scope().time());
      case "token_at" -> in -> side(in).token(venue(in, 1));
      case "levels" -> in -> levels(side(in), venue(in, 1), in.place(2), in.scope().time());
      case "traders" -> in -> Trader.LISTED;
      case "trader_of" -> in -> Trader.of(in.text(0));
      case "fills" -> in -> Ledger.all(in.scope().time());
      case "holdings" -> in -> Holding.of(fills(in), in.scope().time());
      case "metrics" -> in -> Metrics.of(fills(in));
      case "streak" -> in -> Metrics.streak(fills(in), in.truth(1));
      default -> null;
    };
  }

  private static Market market(Arguments in) {
    return in.of(0, Market.class);
  }

  private static Market.Side side(Arguments in) {
    return in.of(0, Market.Side.class);
  }

  private static Venue venue(Arguments in, int at) {
    return Venue.of(in.text(at));
  }

  private static List<Fill> fills(Arguments in) {
    return in.list(0).stream().map(Fill.class::cast).toList();
  }

  /** One side of an order book around the price, in cents and whole shares, the best first. */
  private static List<Row> levels(Market.Side side, Venue venue, int sign, long time) {
    double price = side.price(venue, time) * 100;
    long best = sign < 0 ? (long) Math.ceil(price - 1e-9) - 1 : (long) (price + 1e-9) + 1;
    int count = (int) Math.min(BOOK_LEVELS, sign < 0 ? best : 100 - best);
    long key = Chance.key(side.market().key(), venue, side.isYes(), sign);
    return IntStream.range(0, count)
        .mapToObj(at -> level(best + (long) sign * at, key, at, time))
        .toList();
  }

  private static Row level(long cents, long key, int at, long time) {
    long size = 20 + Math.round((at + 1) * 90 * Chance.unit(key + at, time / 60));
    return Row.of("cents", cents, "size", size);
  }
}
