package dev.octroi.reference.sandbox.cryptodata;

import dev.octroi.reference.sandbox.Seeded;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Funds and what they hold. */
record FundReads(World world) implements Family {

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /fund/detail", this::detail,
        "GET /fund/portfolio", this::portfolio,
        "GET /fund/ranking", this::ranking);
  }

  private long today() {
    return Spans.floor(world.now(), Spans.DAY);
  }

  private Map<String, @Nullable Object> detail(Ask ask) {
    Fund fund = Fund.of(ask.anyOf("id", "q"));
    Seeded seeded = Seeded.of("fund-detail", fund.slug());
    return Answers.plain(
        Fields.of(
            "description", fund.name() + " invests in open networks.",
            "id", fund.id(),
            "image", fund.image(),
            "invested_projects_count", fund.portfolio(today()).size(),
            "jurisdiction", fund.jurisdiction(),
            "links",
                List.of(Fields.of("type", "web", "value", "https://" + fund.slug() + ".example")),
            "members", List.of(member(seeded, "Partner"), member(seeded, "Research")),
            "name", fund.name(),
            "recent_researches", List.of(research(fund, seeded)),
            "tier", fund.tier(),
            "type", fund.type(),
            "x_accounts", List.of(account(fund, seeded))));
  }

  private static Map<String, @Nullable Object> member(Seeded seeded, String role) {
    Person person = seeded.pick(Person.CROWD);
    return Fields.of("avatar", person.avatar(), "name", person.name(), "roles", List.of(role));
  }

  private Map<String, @Nullable Object> research(Fund fund, Seeded seeded) {
    String id = seeded.hex(24);
    return Fields.of(
        "id",
        id,
        "published_at",
        today() - seeded.whole(1, 60) * Spans.DAY,
        "title",
        "The year in " + seeded.pick(Project.ALL).tags().get(0),
        "url",
        "https://" + fund.slug() + ".example/research/" + id);
  }

  private static Map<String, @Nullable Object> account(Fund fund, Seeded seeded) {
    String handle = fund.slug().replace('-', '_');
    return Fields.of(
        "display_name", fund.name(),
        "followers_count", seeded.whole(4_000, 900_000),
        "handle", handle,
        "id", Person.idOf(handle),
        "profile_image", fund.image());
  }

  private Map<String, @Nullable Object> portfolio(Ask ask) {
    Fund fund = Fund.of(ask.anyOf("id", "q"));
    long after = ask.maybe("invested_after").map(Long::parseLong).orElse(0L);
    long before = ask.maybe("invested_before").map(Long::parseLong).orElse(Long.MAX_VALUE);
    List<Map<String, @Nullable Object>> rows =
        fund.portfolio(today()).stream()
            .filter(row -> Fields.number(row, "invested_at") >= after)
            .filter(row -> Fields.number(row, "invested_at") <= before)
            .filter(row -> ask.maybe("is_lead").map(lead(row)::equals).orElse(true))
            .toList();
    return Answers.page(ask, Answers.sorted(rows, ask.text("sort_by"), ask.text("order")));
  }

  private static String lead(Map<String, @Nullable Object> row) {
    return String.valueOf(row.get("is_lead"));
  }

  private Map<String, @Nullable Object> ranking(Ask ask) {
    List<Map<String, @Nullable Object>> rows =
        Fund.ALL.stream().map(fund -> fund.summary(today())).toList();
    boolean byTier = ask.is("metric", "tier");
    return Answers.page(
        ask,
        Answers.sorted(rows, byTier ? "tier" : "invested_projects_count", byTier ? "asc" : "desc"));
  }
}
