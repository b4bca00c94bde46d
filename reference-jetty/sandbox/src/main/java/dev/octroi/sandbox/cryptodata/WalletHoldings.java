package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Figures;
import dev.octroi.sandbox.vendor.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a wallet has: its balances, their worth over time and its positions in protocols. */
record WalletHoldings(World world) implements Family {

  private static final int MOST_ADDRESSES = 100;

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /wallet/detail", this::detail,
        "GET /wallet/net-worth", this::netWorth,
        "GET /wallet/protocols", this::protocols,
        "GET /wallet/labels/batch", this::labels);
  }

  private Fields detail(Ask ask) {
    String address = world.address(ask);
    long now = world.now();
    boolean evm = address.startsWith("0x");
    List<Holding> held =
        Holding.of(address).stream()
            .filter(holding -> ask.maybe("chain").map(holding.chain()::equals).orElse(true))
            .toList();
    List<String> fields = ask.list("fields");
    boolean balance = fields.contains("balance");
    boolean tokens = fields.contains("tokens");
    return Answers.plain(
        Fields.of("active_chains", balance ? chains(held, now) : null)
            .and("approvals", fields.contains("approvals") ? approvals(address, held) : List.of())
            .and("errors", List.of())
            .and("evm_balance", balance && evm ? evmBalance(address, held, now) : null)
            .and(
                "evm_tokens",
                tokens && evm ? held.stream().map(one -> token(one, now)).toList() : null)
            .and("labels", fields.contains("labels") ? Labels.of(address) : null)
            .and("nft", fields.contains("nft") ? nfts(address) : null)
            .and(
                "sol_balance",
                balance && !evm
                    ? Fields.of("address", address).and("sol_balance", solBalance(address))
                    : null)
            .and(
                "sol_tokens",
                tokens && !evm ? held.stream().map(WalletHoldings::solToken).toList() : null));
  }

  private static String solBalance(String address) {
    return Figures.text(Seeded.of("sol", address).skewed(0.01, 900, 6), 6);
  }

  private static List<Fields> chains(List<Holding> held, long now) {
    Map<String, List<Holding>> byChain =
        held.stream()
            .collect(Collectors.groupingBy(Holding::chain, TreeMap::new, Collectors.toList()));
    List<Fields> chains = new ArrayList<>();
    byChain.forEach(
        (chain, holdings) ->
            chains.add(
                Fields.of("chain", chain)
                    .and("chain_id", Chains.id(chain))
                    .and("usd_value", Holding.total(holdings, now))));
    return chains;
  }

  private static Fields evmBalance(String address, List<Holding> held, long now) {
    return Fields.of("address", address)
        .and("chain_balances", chains(held, now))
        .and("total_usd", Holding.total(held, now));
  }

  private static Fields token(Holding held, long now) {
    Token token = held.token();
    return Fields.of("balance", Figures.text(held.amount(), 8))
        .and("chain", held.chain())
        .and("is_verified", true)
        .and("logo_url", token.image())
        .and("name", token.name())
        .and("price", Prices.usd(token, now))
        .and("symbol", token.symbol())
        .and("token_address", token.contract())
        .and("usd_value", held.usd(now));
  }

  private static Fields solToken(Holding held) {
    Token token = held.token();
    return Fields.of("balance", Figures.text(held.amount(), 8))
        .and("decimals", 9)
        .and("is_verified", true)
        .and("logo_url", token.image())
        .and("name", token.name())
        .and("symbol", token.symbol())
        .and("token_address", Seeded.of("mint", token.symbol()).base58());
  }

  private static List<Fields> approvals(String address, List<Holding> held) {
    return held.stream()
        .limit(2)
        .map(
            holding -> {
              Seeded seeded = Seeded.of("approval", address, holding.token().symbol());
              Fields spender =
                  Fields.of("allowance", Figures.round(holding.amount() * 2, 6))
                      .and("spender_address", seeded.address())
                      .and("spender_name", seeded.pick(Project.DEFI).name());
              return Fields.of("balance", holding.amount())
                  .and("chain", holding.chain())
                  .and("name", holding.token().name())
                  .and("spenders", List.of(spender))
                  .and("symbol", holding.token().symbol())
                  .and("token_address", holding.token().contract());
            })
        .toList();
  }

  private static List<Fields> nfts(String address) {
    Seeded seeded = Seeded.of("nft", address);
    return IntStream.range(0, (int) seeded.whole(0, 4))
        .mapToObj(
            index -> {
              long number = seeded.whole(1, 9_999);
              return Fields.of("chain", "ethereum")
                  .and("collection_name", "Sandbox Squares")
                  .and("contract_address", Seeded.of("squares").address())
                  .and("image_url", "https://images.example/squares/" + number + ".png")
                  .and("name", "Square " + number)
                  .and("token_id", Long.toString(number))
                  .and("usd_price", seeded.skewed(5, 4_000, 2));
            })
        .toList();
  }

  private Fields netWorth(Ask ask) {
    List<Holding> held = Holding.of(world.address(ask));
    long now = world.now();
    List<Fields> points =
        IntStream.rangeClosed(0, 30)
            .mapToObj(day -> now - (30 - day) * Spans.DAY)
            .map(at -> Fields.of("timestamp", at).and("usd_value", Holding.total(held, at)))
            .toList();
    return Answers.page(ask, points);
  }

  private Fields protocols(Ask ask) {
    String address = world.address(ask);
    Seeded seeded = Seeded.of("protocols", address);
    int skipped = (int) seeded.whole(0, 3);
    List<Fields> rows =
        Project.DEFI.stream().skip(skipped).map(project -> protocol(project, address)).toList();
    return Answers.page(ask, Answers.sorted(rows, "total_usd", "desc"));
  }

  private Fields protocol(Project project, String address) {
    Seeded seeded = Seeded.of("protocol", project.slug(), address);
    String chain = project.chains().get(0);
    List<Fields> positions = new ArrayList<>();
    double total = 0;
    for (String kind : List.of("Lending", "Pool").subList(0, (int) seeded.whole(1, 2))) {
      Fields position = position(kind, chain, seeded);
      total += position.number("balance_usd");
      positions.add(position);
    }
    return Fields.of("chain", chain)
        .and("logo_url", "https://images.example/projects/" + project.slug() + ".png")
        .and("positions", positions)
        .and("protocol_name", project.name())
        .and("site_url", project.website())
        .and("total_usd", Figures.round(total, 2));
  }

  /** Supplied, pooled and earned tokens count for the balance, borrowed ones against it. */
  private Fields position(String kind, String chain, Seeded seeded) {
    long now = world.now();
    Holding supplied = stake(chain, seeded, 900, 40_000);
    Holding borrowed = stake(chain, seeded, 10, 500);
    Holding pooled = stake(chain, seeded, 50, 9_000);
    Holding earned = stake(chain, seeded, 1, 90);
    double balance = supplied.usd(now) + pooled.usd(now) + earned.usd(now) - borrowed.usd(now);
    return Fields.of("balance_usd", Figures.round(balance, 2))
        .and("borrow_tokens", List.of(staked(borrowed)))
        .and("lp_tokens", List.of(staked(pooled)))
        .and("name", kind)
        .and("reward_tokens", List.of(staked(earned)))
        .and("supply_tokens", List.of(staked(supplied)));
  }

  private static Holding stake(String chain, Seeded seeded, double least, double most) {
    Token token = seeded.pick(Token.ALL);
    return new Holding(
        token, chain, Prices.significant(seeded.skewed(least, most, 2) / token.middle()));
  }

  private Fields staked(Holding held) {
    return Fields.of("amount", held.amount())
        .and("chain", held.chain())
        .and("name", held.token().name())
        .and("price", Prices.usd(held.token(), world.now()))
        .and("symbol", held.token().symbol())
        .and("token_address", held.token().contract());
  }

  private Fields labels(Ask ask) {
    List<String> addresses = ask.list("addresses");
    if (addresses.size() > MOST_ADDRESSES) {
      throw Refusal.invalid("At most 100 addresses");
    }
    return Answers.page(ask, addresses.stream().map(world::address).map(Labels::of).toList());
  }
}
