package dev.octroi.reference.sandbox.cryptodata;

import dev.octroi.reference.sandbox.Drift;
import dev.octroi.reference.sandbox.Figures;
import dev.octroi.reference.sandbox.Seeded;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Projects: who they are and, for those in finance, how they do. */
record ProjectReads(World world) implements Family {

  private static final List<String> EXCHANGES =
      Contract.STATED.allowed("GET /exchange/price", "exchange").subList(0, 5);

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /project/detail", this::detail,
        "GET /project/defi/metrics", this::metrics,
        "GET /project/defi/ranking", this::ranking);
  }

  private Map<String, @Nullable Object> detail(Ask ask) {
    Project project = Project.of(ask.anyOf("id", "x_id", "handle", "q"));
    List<String> fields = ask.list("fields");
    Map<String, @Nullable Object> all =
        Fields.of(
            "contracts", Fields.of("contracts", List.of(contract(project))),
            "funding", funding(project),
            "overview", overview(project),
            "social", social(project),
            "team", Fields.of("members", List.of(founder(project))),
            "tge_status", status(),
            "token_info", tokenInfo(project.token()),
            "tokenomics", tokenomics(project.token()));
    all.replaceAll((section, value) -> fields.contains(section) ? value : null);
    return Answers.plain(all);
  }

  private static Map<String, @Nullable Object> contract(Project project) {
    return Fields.of(
        "address", project.token().contract(),
        "chain", project.chains().get(0),
        "label", "Token");
  }

  private Map<String, @Nullable Object> funding(Project project) {
    Seeded seeded = Seeded.of("funding", project.slug());
    List<Map<String, @Nullable Object>> rounds =
        List.of("Series A", "Seed").stream().map(name -> round(name, seeded)).toList();
    double total = rounds.stream().mapToDouble(round -> Fields.number(round, "amount")).sum();
    return Fields.of("rounds", rounds, "total_raise", total);
  }

  private static Map<String, @Nullable Object> round(String name, Seeded seeded) {
    double amount = seeded.skewed(1e6, 8e7, 0);
    Fund fund = seeded.pick(Fund.ALL);
    Map<String, @Nullable Object> investor =
        Fields.of(
            "id", fund.id(),
            "is_lead", true,
            "logo", fund.image(),
            "name", fund.name(),
            "type", fund.type());
    return Fields.of(
        "amount", amount,
        "date", Instant.ofEpochSecond(seeded.whole(1_600_000_000L, 1_750_000_000L)).toString(),
        "investors", List.of(investor),
        "round_name", name,
        "valuation", Math.floor(amount * seeded.uniform(4, 12)));
  }

  private static Map<String, @Nullable Object> overview(Project project) {
    return Fields.of(
        "chains", project.chains(),
        "description", project.description(),
        "exchanges", EXCHANGES,
        "id", project.id(),
        "logo_url", project.logo(),
        "name", project.name(),
        "slug", project.slug(),
        "tags", project.tags(),
        "tge_status", "post",
        "token_symbol", project.symbol(),
        "website", project.website(),
        "x_followers", Seeded.of("followers", project.handle()).whole(20_000, 4_000_000),
        "x_handle", project.handle(),
        "x_id", Person.idOf(project.handle()));
  }

  private static Map<String, @Nullable Object> social(Project project) {
    return Fields.of(
        "discord", channel(project, "discord"),
        "github", channel(project, "github"),
        "telegram", channel(project, "telegram"),
        "twitter", channel(project, "twitter"));
  }

  private static Map<String, @Nullable Object> channel(Project project, String network) {
    return Fields.of(
        "followers_count", Seeded.of(network, project.slug()).whole(900, 900_000),
        "handle", project.handle(),
        "url", "https://" + network + ".example/" + project.handle());
  }

  private static Map<String, @Nullable Object> founder(Project project) {
    Person person = Seeded.of("founder", project.slug()).pick(Person.CROWD);
    return Fields.of(
        "id", person.id(),
        "image", person.avatar(),
        "name", person.name(),
        "role", "Founder",
        "social_links", Map.of("x", person.handle()));
  }

  private static Map<String, @Nullable Object> status() {
    return Fields.of(
        "current_status", "post", "exchanges", EXCHANGES, "last_event_time", 1_700_000_000L);
  }

  private Map<String, @Nullable Object> tokenInfo(Token token) {
    long now = world.now();
    return Fields.of(
        "all_time_high", Prices.significant(token.middle() * Math.exp(token.volatility())),
        "all_time_high_date", 1_741_000_000L,
        "all_time_low", Prices.significant(token.middle() * Math.exp(-3 * token.volatility())),
        "all_time_low_date", 1_580_000_000L,
        "circulating_supply", token.supply(),
        "fdv", Prices.fullyDiluted(token, now),
        "high_24h", Prices.high24h(token, now),
        "image", token.image(),
        "low_24h", Prices.low24h(token, now),
        "market_cap_usd", Prices.marketCap(token, now),
        "name", token.name(),
        "price_change_24h", Prices.changePercent(token, now - Spans.DAY, now),
        "price_change_30d", Prices.changePercent(token, now - 30 * Spans.DAY, now),
        "price_change_7d", Prices.changePercent(token, now - 7 * Spans.DAY, now),
        "price_usd", Prices.usd(token, now),
        "symbol", token.symbol(),
        "total_supply", Math.max(token.supply(), token.maxSupply()),
        "volume_24h", Prices.volume24hUsd(token, now));
  }

  private Map<String, @Nullable Object> tokenomics(Token token) {
    return Fields.of(
        "circulating_supply", token.supply(),
        "fdv", Prices.fullyDiluted(token, world.now()),
        "market_cap_usd", Prices.marketCap(token, world.now()),
        "total_supply", Math.max(token.supply(), token.maxSupply()));
  }

  private Map<String, @Nullable Object> metrics(Ask ask) {
    Project project =
        ask.maybe("id").or(() -> ask.maybe("q")).map(Project::of).orElse(Project.DEFI.get(0));
    String metric = ask.text("metric");
    double part =
        ask.maybe("chain")
            .map(chain -> Seeded.of(chain, project.slug()).uniform(0.1, 0.5))
            .orElse(1.0);
    long today = Spans.floor(world.now(), Spans.DAY);
    List<Map<String, @Nullable Object>> days =
        Series.between(
            ask,
            today - 364 * Spans.DAY,
            today,
            Spans.DAY,
            day ->
                Fields.of(
                    "timestamp",
                    day,
                    "value",
                    Figures.round(metric(project, metric, day) * part, 2)));
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

  private Map<String, @Nullable Object> ranking(Ask ask) {
    long now = Spans.floor(world.now(), Spans.HOUR);
    List<Map<String, @Nullable Object>> rows =
        Project.DEFI.stream().map(project -> ranked(project, now)).toList();
    return Answers.page(ask, Answers.sorted(rows, ask.text("metric"), "desc"));
  }

  private static Map<String, @Nullable Object> ranked(Project project, long now) {
    return Fields.of(
        "fees", Figures.round(metric(project, "fees", now), 2),
        "id", project.id(),
        "logo_url", project.logo(),
        "name", project.name(),
        "revenue", Figures.round(metric(project, "revenue", now), 2),
        "slug", project.slug(),
        "symbol", project.symbol(),
        "tvl", Figures.round(metric(project, "tvl", now), 2),
        "users", (long) metric(project, "users", now),
        "volume", Figures.round(metric(project, "volume", now), 2));
  }
}
