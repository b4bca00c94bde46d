package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Drift;
import dev.octroi.sandbox.vendor.Figures;
import dev.octroi.sandbox.vendor.Seeded;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Projects: who they are and, for those in finance, how they do. */
record ProjectReads(World world) implements Family {

  private static final List<String> EXCHANGES =
      CryptoDataVendor.CONTRACT.words("GET /exchange/price", "exchange").subList(0, 5);

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /project/detail", this::detail,
        "GET /project/defi/metrics", this::metrics,
        "GET /project/defi/ranking", this::ranking);
  }

  private Fields detail(Ask ask) {
    Project project = Project.of(ask.anyOf("id", "x_id", "handle", "q"));
    List<String> fields = ask.list("fields");
    Fields all =
        Fields.of("contracts", Fields.of("contracts", List.of(contract(project))))
            .and("funding", funding(project))
            .and("overview", overview(project))
            .and("social", social(project))
            .and("team", Fields.of("members", List.of(founder(project))))
            .and("tge_status", status())
            .and("token_info", tokenInfo(project.token()))
            .and("tokenomics", tokenomics(project.token()));
    all.replaceAll((section, value) -> fields.contains(section) ? value : null);
    return Answers.plain(all);
  }

  private static Fields contract(Project project) {
    return Fields.of("address", project.token().contract())
        .and("chain", project.chains().get(0))
        .and("label", "Token");
  }

  private Fields funding(Project project) {
    Seeded seeded = Seeded.of("funding", project.slug());
    List<Fields> rounds =
        List.of("Series A", "Seed").stream().map(name -> round(name, seeded)).toList();
    double total = rounds.stream().mapToDouble(round -> round.number("amount")).sum();
    return Fields.of("rounds", rounds).and("total_raise", total);
  }

  private static Fields round(String name, Seeded seeded) {
    double amount = seeded.skewed(1e6, 8e7, 0);
    Fund fund = seeded.pick(Fund.ALL);
    Fields investor =
        Fields.of("id", fund.id())
            .and("is_lead", true)
            .and("logo", fund.image())
            .and("name", fund.name())
            .and("type", fund.type());
    return Fields.of("amount", amount)
        .and("date", Instant.ofEpochSecond(seeded.whole(1_600_000_000L, 1_750_000_000L)).toString())
        .and("investors", List.of(investor))
        .and("round_name", name)
        .and("valuation", Math.floor(amount * seeded.uniform(4, 12)));
  }

  private static Fields overview(Project project) {
    return Fields.of("chains", project.chains())
        .and("description", project.description())
        .and("exchanges", EXCHANGES)
        .and("id", project.id())
        .and("logo_url", project.logo())
        .and("name", project.name())
        .and("slug", project.slug())
        .and("tags", project.tags())
        .and("tge_status", "post")
        .and("token_symbol", project.symbol())
        .and("website", project.website())
        .and("x_followers", Seeded.of("followers", project.handle()).whole(20_000, 4_000_000))
        .and("x_handle", project.handle())
        .and("x_id", Person.idOf(project.handle()));
  }

  private static Fields social(Project project) {
    return Fields.of("discord", channel(project, "discord"))
        .and("github", channel(project, "github"))
        .and("telegram", channel(project, "telegram"))
        .and("twitter", channel(project, "twitter"));
  }

  private static Fields channel(Project project, String network) {
    return Fields.of("followers_count", Seeded.of(network, project.slug()).whole(900, 900_000))
        .and("handle", project.handle())
        .and("url", "https://" + network + ".example/" + project.handle());
  }

  private static Fields founder(Project project) {
    Person person = Seeded.of("founder", project.slug()).pick(Person.CROWD);
    return Fields.of("id", person.id())
        .and("image", person.avatar())
        .and("name", person.name())
        .and("role", "Founder")
        .and("social_links", Map.of("x", person.handle()));
  }

  private static Fields status() {
    return Fields.of("current_status", "post")
        .and("exchanges", EXCHANGES)
        .and("last_event_time", 1_700_000_000L);
  }

  private Fields tokenInfo(Token token) {
    long now = world.now();
    return Fields.of(
            "all_time_high", Prices.significant(token.middle() * Math.exp(token.volatility())))
        .and("all_time_high_date", 1_741_000_000L)
        .and("all_time_low", Prices.significant(token.middle() * Math.exp(-3 * token.volatility())))
        .and("all_time_low_date", 1_580_000_000L)
        .and("circulating_supply", token.supply())
        .and("fdv", Prices.fullyDiluted(token, now))
        .and("high_24h", Prices.high24h(token, now))
        .and("image", token.image())
        .and("low_24h", Prices.low24h(token, now))
        .and("market_cap_usd", Prices.marketCap(token, now))
        .and("name", token.name())
        .and("price_change_24h", Prices.changePercent(token, now - Spans.DAY, now))
        .and("price_change_30d", Prices.changePercent(token, now - 30 * Spans.DAY, now))
        .and("price_change_7d", Prices.changePercent(token, now - 7 * Spans.DAY, now))
        .and("price_usd", Prices.usd(token, now))
        .and("symbol", token.symbol())
        .and("total_supply", Math.max(token.supply(), token.maxSupply()))
        .and("volume_24h", Prices.volume24hUsd(token, now));
  }

  private Fields tokenomics(Token token) {
    return Fields.of("circulating_supply", token.supply())
        .and("fdv", Prices.fullyDiluted(token, world.now()))
        .and("market_cap_usd", Prices.marketCap(token, world.now()))
        .and("total_supply", Math.max(token.supply(), token.maxSupply()));
  }

  private Fields metrics(Ask ask) {
    Project project =
        ask.maybe("id").or(() -> ask.maybe("q")).map(Project::of).orElse(Project.DEFI.get(0));
    String metric = ask.text("metric");
    double part =
        ask.maybe("chain")
            .map(chain -> Seeded.of(chain, project.slug()).uniform(0.1, 0.5))
            .orElse(1.0);
    long today = Spans.floor(world.now(), Spans.DAY);
    List<Fields> days =
        Series.between(
            ask,
            today - 364 * Spans.DAY,
            today,
            Spans.DAY,
            day ->
                Fields.of("timestamp", day)
                    .and("value", Figures.round(metric(project, metric, day) * part, 2)));
    int count = days.size();
    return Answers.page(
        ask, IntStream.range(0, count).mapToObj(at -> days.get(count - 1 - at)).toList());
  }

  /** Fees follow volume and revenue follows fees, so that they agree. */
  private static double metric(Project project, String metric, long day) {
    Drift drift = new Drift("defi:" + project.slug());
    double volume = drift.level(project.tvl() * 0.08, 1.2, day + 3);
    return switch (metric) {
      case "tvl" -> drift.level(project.tvl(), 0.4, day);
      case "volume" -> volume;
      case "fee", "fees" -> volume * 0.003;
      case "revenue" -> volume * 0.0005;
      default -> Math.floor(volume / 4_000);
    };
  }

  private Fields ranking(Ask ask) {
    long now = Spans.floor(world.now(), Spans.HOUR);
    List<Fields> rows = Project.DEFI.stream().map(project -> ranked(project, now)).toList();
    return Answers.page(ask, Answers.sorted(rows, ask.text("metric"), "desc"));
  }

  private static Fields ranked(Project project, long now) {
    return Fields.of("fees", Figures.round(metric(project, "fees", now), 2))
        .and("id", project.id())
        .and("logo_url", project.logo())
        .and("name", project.name())
        .and("revenue", Figures.round(metric(project, "revenue", now), 2))
        .and("slug", project.slug())
        .and("symbol", project.symbol())
        .and("tvl", Figures.round(metric(project, "tvl", now), 2))
        .and("users", (long) metric(project, "users", now))
        .and("volume", Figures.round(metric(project, "volume", now), 2));
  }
}
