package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Drift;
import dev.octroi.sandbox.vendor.Figures;
import dev.octroi.sandbox.vendor.Seeded;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What the network talks about, and how kindly. */
record SocialTrends(World world) implements Family {

  private static final List<String> PLACES =
      List.of(
          "United States", "Germany", "Singapore", "Brazil", "Japan", "Nigeria", "France", "India");

  private static final List<String> TAGS = List.of("news", "price", "technology", "memes");

  private static final int HISTORY = 90;

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /social/detail", this::detail,
        "GET /social/ranking", this::ranking,
        "GET /social/smart-followers/history", this::smartFollowers,
        "GET /social/mindshare", this::mindshare);
  }

  /** The project or, failing that, the account that a text names: its handle and seed. */
  private static String subject(Ask ask) {
    String text = ask.anyOf("x_id", "q");
    return Project.ALL.stream()
        .filter(project -> project.matches(text) && project.slug().equalsIgnoreCase(text))
        .findFirst()
        .map(Project::handle)
        .orElseGet(() -> Person.of(text).handle());
  }

  private Fields detail(Ask ask) {
    String handle = subject(ask);
    List<String> fields = ask.list("fields");
    Fields sentiment =
        Fields.of("insufficient_social_data", false)
            .and("score", sentiment(handle))
            .and("time_range", ask.text("time_range"));
    return Answers.plain(
        Fields.of(
                "follower_geo",
                fields.contains("follower_geo") ? places(handle, ask.whole("geo_limit")) : null)
            .and("project_id", Seeded.of("project", handle).uuid())
            .and(
                "project_name",
                Person.CROWD.stream()
                    .filter(one -> one.handle().equals(handle))
                    .findFirst()
                    .map(Person::name)
                    .orElse(handle))
            .and("sentiment", fields.contains("sentiment") ? sentiment : null)
            .and("smart_followers", fields.contains("smart_followers") ? smart(handle) : null)
            .and("twitter_id", Person.idOf(handle)));
  }

  private double sentiment(String handle) {
    double level = new Drift("sentiment:" + handle).at(Spans.floor(world.now(), Spans.HOUR));
    return Figures.round(Math.max(0, Math.min(100, 55 + 60 * level)), 4);
  }

  private static Fields places(String handle, int limit) {
    Seeded seeded = Seeded.of("geo", handle);
    long total = seeded.whole(20_000, 900_000);
    List<Fields> places = new ArrayList<>();
    double left = 1;
    for (String place : PLACES.subList(0, Math.min(limit, PLACES.size()))) {
      double part = left * seeded.uniform(0.2, 0.4);
      left -= part;
      places.add(
          Fields.of("follower_count", Math.round(total * part))
              .and("location", place)
              .and("percentage", Figures.round(part * 100, 2)));
    }
    return Fields.of("locations", Answers.sorted(places, "follower_count", "desc"))
        .and("total_follower_count", total);
  }

  private static Fields smart(String handle) {
    Seeded seeded = Seeded.of("smart", handle);
    int first = seeded.index(Person.CROWD.size() - 10);
    List<Fields> followers = new ArrayList<>();
    for (int rank = 1; rank <= 5; rank++) {
      Person person = Person.CROWD.get(first + rank);
      followers.add(
          Fields.of("avatar", person.avatar())
              .and("description", person.bio())
              .and("followers_count", person.followers())
              .and("handle", person.handle())
              .and("name", person.name())
              .and("rank", rank)
              .and("score", Figures.round(100.0 / (rank + 1), 3))
              .and("tag", "builder")
              .and("twitter_id", person.id()));
    }
    return Fields.of("count", seeded.whole(40, 900)).and("followers", followers);
  }

  private Fields ranking(Ask ask) {
    List<Fields> rows =
        Project.ALL.stream()
            .filter(project -> ask.maybe("tag").map(project.tags()::contains).orElse(true))
            .map(this::ranked)
            .filter(row -> ask.accepts("sentiment", row.get("sentiment")))
            .toList();
    List<Fields> sorted = Answers.sorted(rows, "attention", "desc");
    IntStream.range(0, sorted.size())
        .forEach(
            at -> {
              sorted.get(at).put("rank", at + 1);
              sorted.get(at).remove("attention");
            });
    return Answers.page(ask, sorted);
  }

  private Fields ranked(Project project) {
    double score = sentiment(project.handle());
    Token token = project.token();
    return Fields.of("attention", attention(project.slug(), Spans.floor(world.now(), Spans.HOUR)))
        .and(
            "project",
            Fields.of("id", project.id()).and("name", project.name()).and("slug", project.slug()))
        .and("rank", 0)
        .and("sentiment", score >= 50 ? "positive" : "negative")
        .and("sentiment_score", score)
        .and("tags", project.tags())
        .and(
            "token",
            Fields.of("id", token.id())
                .and("image", token.image())
                .and("name", token.name())
                .and("symbol", token.symbol()))
        .and("trending_short_reason", "Much talked about")
        .and("trending_summary", project.description())
        .and(
            "twitter",
            Fields.of("avatar_url", project.logo())
                .and("display_name", project.name())
                .and("twitter_id", Person.idOf(project.handle()))
                .and("x_handle", project.handle()));
  }

  private static double attention(String subject, long at) {
    double usual = Seeded.of("attention", subject).skewed(40, 4_000, 2);
    return new Drift("attention:" + subject).level(usual, 1.5, at);
  }

  private Fields smartFollowers(Ask ask) {
    String handle = subject(ask);
    long today = Spans.floor(world.now(), Spans.DAY);
    long first = Seeded.of("smart", handle).whole(40, 900);
    return Answers.page(
        ask,
        HISTORY,
        back ->
            Fields.of("count", first + (today / Spans.DAY - back) / 9)
                .and(
                    "date",
                    Instant.ofEpochSecond(today - back * Spans.DAY)
                        .atOffset(ZoneOffset.UTC)
                        .toLocalDate()
                        .toString()));
  }

  private Fields mindshare(Ask ask) {
    Project project = Project.of(ask.anyOf("id", "q"));
    long step = Spans.seconds(ask.text("interval"));
    long now = world.now();
    List<Fields> points =
        Series.between(
            ask,
            now - 50 * step,
            now,
            step,
            at ->
                Fields.of("timestamp", at).and("value", Math.round(attention(project.slug(), at))));
    Fields answer = Answers.page(ask, points);
    answer.put(
        "tag_percents",
        ask.is("include_tag_percents", "true") ? tags(project, now, step) : List.of());
    return answer;
  }

  /** Four tags whose parts sum to one. */
  private static List<Fields> tags(Project project, long now, long step) {
    double[] parts = {0.4, 0.3, 0.2, 0.1};
    List<Fields> tags = new ArrayList<>();
    for (int at = 0; at < TAGS.size(); at++) {
      tags.add(
          Fields.of(
                  "points",
                  List.of(
                      Fields.of("percent", parts[at] * 100)
                          .and("timestamp", Spans.floor(now, step))))
              .and("rank", at + 1)
              .and("share_ratio", parts[at])
              .and("tag", project.tags().get(0) + " " + TAGS.get(at)));
    }
    return tags;
  }
}
