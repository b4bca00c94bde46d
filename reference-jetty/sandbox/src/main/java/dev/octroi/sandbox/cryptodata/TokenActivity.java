package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Figures;
import dev.octroi.sandbox.vendor.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** One token: who trades, holds and moves it, and how its supply unlocks. */
record TokenActivity(World world) implements Family {

  private static final int TRADES = 500;
  private static final int HOLDERS = 300;

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /token/dex-trades", this::trades,
        "GET /token/holders", this::holders,
        "GET /token/transfers", this::transfers,
        "GET /token/tokenomics", this::tokenomics);
  }

  private Fields trades(Ask ask) {
    Token token = Token.at(world.address(ask));
    Timeline timeline =
        new Timeline("trades:" + token.contract() + ask.text("chain"), 40, world.now());
    return Answers.page(ask, TRADES, index -> trade(token, timeline, index));
  }

  private static Fields trade(Token token, Timeline timeline, int index) {
    Seeded seeded = timeline.values(index);
    long time = timeline.time(index);
    Token dollar = Token.of(token.symbol().equals("USDC") ? "USDT" : "USDC");
    boolean buys = seeded.chance(0.5);
    Token bought = buys ? token : dollar;
    Token sold = buys ? dollar : token;
    double usd = seeded.skewed(10, 90_000, 2);
    String taker = seeded.address();
    return Fields.of("amount_usd", usd)
        .and("block_time", time)
        .and("project", seeded.pick(List.of("uniswap", "curve", "aerodrome")))
        .and("taker", taker)
        .and("taker_label", Labels.of(taker))
        .and("token_bought_address", bought.contract())
        .and("token_bought_amount", Prices.significant(usd / Prices.usd(bought, time)))
        .and("token_bought_symbol", bought.symbol())
        .and("token_pair", token.symbol() + "-" + dollar.symbol())
        .and("token_sold_address", sold.contract())
        .and("token_sold_amount", Prices.significant(usd / Prices.usd(sold, time)))
        .and("token_sold_symbol", sold.symbol())
        .and("tx_hash", seeded.transactionHash())
        .and("version", seeded.pick(List.of("2", "3", "4")));
  }

  private Fields holders(Ask ask) {
    Token token = Token.at(world.address(ask));
    String chain = ask.text("chain");
    return Answers.page(ask, HOLDERS, index -> holder(token, chain, index));
  }

  /** The n-th largest holder's part falls with n, so that the list is sorted and sums below 100. */
  private static Fields holder(Token token, String chain, int index) {
    Seeded seeded = Seeded.of("holder", token.contract(), chain, index);
    String address = chain.equals("solana") ? seeded.base58() : seeded.address();
    double percent = Figures.round(9.0 / (index + 1.5), 4);
    Fields label = Labels.of(address);
    return Fields.of("address", address)
        .and("balance", Figures.text(token.supply() * percent / 100, 6))
        .and("entity_name", label.get("entity_name"))
        .and("entity_type", label.get("entity_type"))
        .and("label", label)
        .and("percentage", percent);
  }

  private Fields transfers(Ask ask) {
    Token token = Token.at(world.address(ask));
    long from = ask.time("from").orElse(0L);
    long to = ask.time("to").orElse(Long.MAX_VALUE);
    Timeline timeline =
        new Timeline("moves:" + token.contract() + ask.text("chain"), 70, world.now());
    List<Fields> rows =
        IntStream.range(0, TRADES)
            .mapToObj(index -> Transfer.ofToken(token, timeline, index))
            .filter(moved -> moved.time() >= from && moved.time() <= to)
            .map(TokenActivity::transfer)
            .toList();
    return Answers.page(ask, rows);
  }

  private static Fields transfer(Transfer moved) {
    return Fields.of("amount", moved.amountText())
        .and("amount_usd", moved.usd())
        .and("block_number", moved.block())
        .and("from_address", moved.from())
        .and("from_label", Labels.of(moved.from()))
        .and("symbol", moved.token().symbol())
        .and("timestamp", moved.time())
        .and("to_address", moved.to())
        .and("to_label", Labels.of(moved.to()))
        .and("tx_hash", moved.hash());
  }

  private Fields tokenomics(Ask ask) {
    Token token =
        ask.maybe("symbol")
            .map(Token::of)
            .orElseGet(() -> Token.of(Project.of(ask.anyOf("id", "symbol")).symbol()));
    long now = world.now();
    long month = 30 * Spans.DAY;
    List<Fields> months =
        Series.between(ask, now - 24 * month, now, month, at -> unlock(token, at, month));
    return Answers.page(ask, months);
  }

  /** Supply unlocks evenly until 2030; the parts of one month sum to its amount. */
  private static Fields unlock(Token token, long at, long month) {
    double total = Math.max(token.supply(), token.maxSupply());
    double unlocked = total * Math.min(1, 0.4 + 0.6 * (at - 1_600_000_000L) / 300_000_000.0);
    double amount = Figures.round(total * 0.6 * month / 300_000_000.0, 2);
    List<Fields> parts = new ArrayList<>();
    parts.add(Fields.of("amount", Figures.round(amount * 0.5, 2)).and("name", "Community"));
    parts.add(Fields.of("amount", Figures.round(amount * 0.3, 2)).and("name", "Team"));
    parts.add(Fields.of("amount", Figures.round(amount * 0.2, 2)).and("name", "Investors"));
    return Fields.of("allocations", parts)
        .and("cumulative_unlocked_amount", Figures.round(unlocked, 2))
        .and("timestamp", at)
        .and("total_supply", total)
        .and("unlock_amount", amount)
        .and("unlocked_percentage_of_total_supply", Figures.round(unlocked / total * 100, 4));
  }
}
