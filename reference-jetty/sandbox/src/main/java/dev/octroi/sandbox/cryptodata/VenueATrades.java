package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Figures;
import dev.octroi.sandbox.vendor.Seeded;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Who trades on the first prediction venue and what they hold. */
record VenueATrades(World world) implements Family {

  private static final int TRADES = 600;
  private static final int OF_WALLET = 12;

  @Override
  public Map<String, Reading> readings() {
    String base = "GET /prediction-market/" + Wire.VENUE_A;
    return Map.of(
        base + "/trades", this::trades,
        base + "/positions", this::positions,
        base + "/activity", this::activity);
  }

  private Fields trades(Ask ask) {
    String wallet = ask.maybe("address").map(world::address).orElse("");
    List<Market> markets =
        ask.maybe("condition_id")
            .map(id -> List.of(Market.of(Market.VENUE_A, id)))
            .orElseGet(() -> wallet.isEmpty() ? Market.VENUE_A : held(wallet));
    int each = wallet.isEmpty() ? TRADES / markets.size() : OF_WALLET;
    double least = ask.maybe("min_amount").map(Double::parseDouble).orElse(0.0);
    long from = ask.time("from").orElse(0L);
    long to = ask.time("to").orElse(Long.MAX_VALUE);
    List<Fields> rows =
        markets.stream()
            .flatMap(market -> history(market, wallet, each).stream())
            .filter(row -> ask.is("type", "all") || ask.is("type", String.valueOf(row.get("type"))))
            .filter(row -> row.number("notional_volume_usd") >= least)
            .filter(row -> row.number("timestamp") >= from)
            .filter(row -> row.number("timestamp") <= to)
            .filter(row -> ask.accepts("outcome_label", row.get("outcome_label")))
            .toList();
    return Answers.page(ask, Answers.sorted(rows, ask.text("sort_by"), "desc"));
  }

  private List<Fields> history(Market market, String wallet, int count) {
    Timeline timeline =
        new Timeline(
            "trades:" + market.key() + wallet, wallet.isEmpty() ? 45 : 40_000, world.now());
    return IntStream.range(0, count)
        .mapToObj(index -> trade(market, wallet, timeline, index))
        .toList();
  }

  private static Fields trade(Market market, String wallet, Timeline timeline, int index) {
    Seeded seeded = timeline.values(index);
    long time = timeline.time(index);
    String label = seeded.chance(0.6) ? "Yes" : "No";
    double price = label.equals("Yes") ? market.yes(time) : market.no(time);
    double size = seeded.skewed(5, 9_000, 2);
    String trader = seeded.address();
    return Fields.of("address", wallet.isEmpty() ? trader : wallet)
        .and("condition_id", market.conditionId())
        .and("market_slug", market.key())
        .and("notional_volume_usd", Figures.round(price * size, 2))
        .and("outcome_label", label)
        .and("price", price)
        .and("side", seeded.chance(0.5) ? "buy" : "sell")
        .and("size", size)
        .and("timestamp", time)
        .and("tx_hash", seeded.transactionHash())
        .and("type", "trade");
  }

  private static List<Market> held(String address) {
    return Market.VENUE_A.stream()
        .filter(market -> Seeded.of("holds", address, market.key()).chance(0.5))
        .toList();
  }

  private Fields positions(Ask ask) {
    String address = world.address(ask);
    List<Fields> rows = held(address).stream().map(market -> position(address, market)).toList();
    return Answers.page(ask, rows);
  }

  private Fields position(String address, Market market) {
    Seeded seeded = Seeded.of("position", address, market.key());
    boolean yes = seeded.chance(0.6);
    double price = yes ? market.yes(world.now()) : market.no(world.now());
    double paid = seeded.uniform(0.05, 0.95, 2);
    double size = seeded.skewed(10, 20_000, 2);
    return Fields.of("avg_price", paid)
        .and("cash_pnl", Figures.round(size * (price - paid), 2))
        .and("condition_id", market.conditionId())
        .and("cur_price", price)
        .and("current_value", Figures.round(size * price, 2))
        .and("outcome_label", yes ? "Yes" : "No")
        .and("question", market.title())
        .and("realized_pnl", Figures.round(seeded.normal(0, 800), 2))
        .and("redeemable", false)
        .and("size", size);
  }

  private Fields activity(Ask ask) {
    String address = world.address(ask);
    Comparator<Fields> newest = Comparator.comparingDouble(row -> -row.number("timestamp"));
    return Answers.page(
        ask,
        held(address).stream()
            .flatMap(market -> history(market, address, OF_WALLET).stream())
            .sorted(newest)
            .toList());
  }
}
