package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Seeded;
import java.util.List;
import java.util.Map;

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

  private Fields detail(Ask ask) {
    Fund fund = Fund.of(ask.anyOf("id", "q"));
    Seeded seeded = Seeded.of("fund-detail", fund.slug());
    return Answers.plain(
        Fields.of("description", fund.name() + " invests in open networks.")
            .and("id", fund.id())
            .and("image", fund.image())
            .and("invested_projects_count", fund.portfolio(today()).size())
            .and("jurisdiction", fund.jurisdiction())
            .and(
                "links",
                List.of(
                    Fields.of("type", "web").and("value", "https://" + fund.slug() + ".example")))
            .and("members", List.of(member(seeded, "Partner"), member(seeded, "Research")))
            .and("name", fund.name())
            .and("recent_researches", List.of(research(fund, seeded)))
            .and("tier", fund.tier())
            .and("type", fund.type())
            .and("x_accounts", List.of(account(fund, seeded))));
  }

  private static Fields member(Seeded seeded, String role) {
    Person person = seeded.pick(Person.CROWD);
    return Fields.of("avatar", person.avatar())
        .and("name", person.name())
        .and("roles", List.of(role));
  }

  private Fields research(Fund fund, Seeded seeded) {
    String id = seeded.hex(24);
    return Fields.of("id", id)
        .and("published_at", today() - seeded.whole(1, 60) * Spans.DAY)
        .and("title", "The year in " + seeded.pick(Project.ALL).tags().get(0))
        .and("url", "https://" + fund.slug() + ".example/research/" + id);
  }

  private static Fields account(Fund fund, Seeded seeded) {
    String handle = fund.slug().replace('-', '_');
    return Fields.of("display_name", fund.name())
        .and("followers_count", seeded.whole(4_000, 900_000))
        .and("handle", handle)
        .and("id", Person.idOf(handle))
        .and("profile_image", fund.image());
  }

  private Fields portfolio(Ask ask) {
    Fund fund = Fund.of(ask.anyOf("id", "q"));
    long after = ask.maybe("invested_after").map(Long::parseLong).orElse(0L);
    long before = ask.maybe("invested_before").map(Long::parseLong).orElse(Long.MAX_VALUE);
    List<Fields> rows =
        fund.portfolio(today()).stream()
            .filter(row -> row.number("invested_at") >= after)
            .filter(row -> row.number("invested_at") <= before)
            .filter(row -> ask.maybe("is_lead").map(lead(row)::equals).orElse(true))
            .toList();
    return Answers.page(ask, Answers.sorted(rows, ask.text("sort_by"), ask.text("order")));
  }

  private static String lead(Fields row) {
    return String.valueOf(row.get("is_lead"));
  }

  private Fields ranking(Ask ask) {
    List<Fields> rows = Fund.ALL.stream().map(fund -> fund.summary(today())).toList();
    boolean byTier = ask.is("metric", "tier");
    return Answers.page(
        ask,
        Answers.sorted(rows, byTier ? "tier" : "invested_projects_count", byTier ? "asc" : "desc"));
  }
}
