package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Seeded;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** The searches that are no part of another family. */
record SearchReads(World world) implements Family {

  private static final List<String> PHASES = List.of("active", "claimable", "ended");
  private static final List<String> EVENTS =
      List.of("launch", "upgrade", "partnership", "news", "airdrop", "listing");

  private static final int WALLETS = 40;
  private static final int EVENTS_EACH = 4;

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /search/airdrop", this::airdrops,
        "GET /search/events", this::events,
        "GET /search/project", SearchReads::projects,
        "GET /search/fund", this::funds,
        "GET /search/wallet", this::wallets);
  }

  private Fields airdrops(Ask ask) {
    List<String> phases = ask.list("phase");
    List<Fields> rows =
        Project.ALL.stream()
            .filter(project -> ask.maybe("q").map(project::matches).orElse(true))
            .map(project -> airdrop(project, ask))
            .filter(
                row -> phases.contains(String.valueOf(row.get("status")).toLowerCase(Locale.ROOT)))
            .filter(row -> ask.accepts("reward_type", row.get("reward_type")))
            .toList();
    return Answers.page(ask, Answers.sorted(rows, ask.text("sort_by"), ask.text("order")));
  }

  private Fields airdrop(Project project, Ask ask) {
    Seeded seeded = Seeded.of("airdrop", project.slug());
    long today = Spans.floor(world.now(), Spans.DAY);
    int open = (int) seeded.whole(1, 4);
    List<Fields> tasks =
        IntStream.range(0, open).mapToObj(index -> task(project, index, today)).toList();
    return Fields.of("coin_symbol", project.symbol())
        .and("followers_count", seeded.whole(2_000, 900_000))
        .and("last_status_update", today - seeded.whole(0, 40) * Spans.DAY)
        .and("logo_url", project.logo())
        .and("project_id", project.id())
        .and("project_name", project.name())
        .and("reward_date", today + seeded.whole(5, 90) * Spans.DAY)
        .and("reward_type", seeded.pick(List.of("airdrop", "points", "nft")))
        .and("status", seeded.pick(PHASES))
        .and(
            "task_summary",
            Fields.of("open", open)
                .and("total", open + seeded.whole(0, 6))
                .and("types", List.of("social")))
        .and("tasks", ask.is("include_tasks", "true") ? tasks : List.of())
        .and("total_raise", seeded.whole(1_000_000, 90_000_000))
        .and("xscore", seeded.whole(10, 100));
  }

  private static Fields task(Project project, int index, long today) {
    Seeded seeded = Seeded.of("task", project.slug(), index);
    return Fields.of("blockchains", project.chains())
        .and("close_date", today + seeded.whole(1, 40) * Spans.DAY)
        .and("cost", seeded.whole(0, 20))
        .and("external_link", project.website() + "/tasks/" + (index + 1))
        .and("is_exclusive", false)
        .and("open_date", today - seeded.whole(1, 20) * Spans.DAY)
        .and("status", "open")
        .and("time_minutes", seeded.whole(2, 40))
        .and("title", "Task " + (index + 1) + " of " + project.name())
        .and("type", "social");
  }

  private Fields events(Ask ask) {
    List<Fields> rows =
        Project.ALL.stream()
            .filter(project -> ask.maybe("q").map(project::matches).orElse(true))
            .filter(project -> ask.maybe("id").map(project.id()::equals).orElse(true))
            .flatMap(project -> IntStream.range(0, EVENTS_EACH).mapToObj(at -> event(project, at)))
            .filter(row -> ask.accepts("type", row.get("type")))
            .toList();
    return Answers.page(ask, rows);
  }

  private Fields event(Project project, int index) {
    Seeded seeded = Seeded.of("event", project.slug(), index);
    long day =
        Spans.floor(world.now(), Spans.DAY) - (seeded.whole(0, 30) + index * 30L) * Spans.DAY;
    String type = seeded.pick(EVENTS);
    return Fields.of("date", Instant.ofEpochSecond(day).toString())
        .and("description", project.description())
        .and("logo_url", project.logo())
        .and("title", project.name() + ": " + type)
        .and("type", type);
  }

  private static Fields projects(Ask ask) {
    return Answers.page(
        ask,
        Project.ALL.stream()
            .filter(project -> project.matches(ask.text("q")))
            .map(SearchReads::project)
            .toList());
  }

  private static Fields project(Project project) {
    Token token = project.token();
    return Fields.of("chains", project.chains())
        .and("description", project.description())
        .and("id", project.id())
        .and("logo_url", project.logo())
        .and("name", project.name())
        .and("slug", project.slug())
        .and("symbol", project.symbol())
        .and("tags", project.tags())
        .and(
            "tokens",
            List.of(
                Fields.of("id", token.id())
                    .and("image", token.image())
                    .and("name", token.name())
                    .and("symbol", token.symbol())));
  }

  private Fields funds(Ask ask) {
    long today = Spans.floor(world.now(), Spans.DAY);
    return Answers.page(
        ask,
        Fund.ALL.stream()
            .filter(fund -> fund.matches(ask.text("q")))
            .map(fund -> fund.summary(today))
            .toList());
  }

  /** An address finds itself; any other text finds the wallets of entities whose names it seeds. */
  private Fields wallets(Ask ask) {
    String text = ask.text("q");
    if (text.startsWith("0x")) {
      return Answers.page(ask, List.of(wallet(world.address(text), text)));
    }
    return Answers.page(
        ask,
        WALLETS,
        index -> wallet(Seeded.of("found", text.toLowerCase(Locale.ROOT), index).address(), text));
  }

  private static Fields wallet(String address, String text) {
    Seeded seeded = Seeded.of("entity", address);
    String entity = text.startsWith("0x") ? Labels.name(seeded) : text;
    return Fields.of("address", address)
        .and("addresses", List.of(Fields.of("address", address).and("chain", "ethereum")))
        .and("chain", "ethereum")
        .and("entity_name", entity)
        .and("entity_type", Labels.type(seeded))
        .and("label", entity + " wallet")
        .and("num_addresses", 1)
        .and("twitter", seeded.pick(Person.CROWD).handle());
  }
}
