package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Magic;
import dev.octroi.sandbox.vendor.Seeded;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A post of the social network. Its id holds the author's place, the time and a check, so that
 * every id that was ever shown can be looked up and a made-up one is unknown.
 *
 * @param author place in {@link Person#CROWD}
 * @param time Unix seconds
 */
record Post(int author, long time) {

  private static final Pattern ID = Pattern.compile("1(\\d{4})(\\d{10})(\\d{4})");

  private static final List<String> OPENINGS =
      List.of(
          "Looking at %s today:",
          "%s, one more time:",
          "What nobody says about %s:",
          "A thread on %s:",
          "Quick note on %s:");

  private static final List<String> THOUGHTS =
      List.of(
          "the figures moved less than the talk.", "fees are down and use is up.",
          "liquidity sits where the incentives are.", "the next upgrade matters more than price.",
          "read the contract before you sign.", "volume follows attention by a day.");

  /** The n-th newest post of an account. */
  static Post of(int author, long now, int index) {
    Timeline timeline = new Timeline("post:" + author, 7 * Spans.HOUR, now);
    return new Post(author, timeline.time(index));
  }

  /** The post of an id; a magic value stands for the first account's first post. */
  static Optional<Post> find(String id) {
    if (Magic.in(id).isPresent()) {
      return Optional.of(new Post(0, 1_780_000_000L));
    }
    Matcher matcher = ID.matcher(id);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    Post post = new Post(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)));
    boolean real = post.author < Person.CROWD.size() && post.id().equals(id);
    return real ? Optional.of(post) : Optional.empty();
  }

  String id() {
    String start = String.format("1%04d%010d", author, time);
    return start + Seeded.of("post", start).digits(4);
  }

  String text() {
    Seeded seeded = Seeded.of("text", id());
    return String.format(seeded.pick(OPENINGS), seeded.pick(Token.ALL).name())
        + " "
        + seeded.pick(THOUGHTS);
  }

  Fields shown() {
    Seeded seeded = Seeded.of("shown", id());
    Person person = Person.CROWD.get(author);
    long views = seeded.whole(200, 90_000);
    return Fields.of("author", person.author())
        .and("cover_image_url", "")
        .and("created_at", time)
        .and("lang", "en")
        .and("media", List.of())
        .and(
            "stats",
            Fields.of("likes", views / 40)
                .and("replies", views / 400)
                .and("reposts", views / 250)
                .and("views", views))
        .and("text", text())
        .and("title", "")
        .and("tweet_id", id())
        .and("type", "post")
        .and("url", "https://social.example/" + person.handle() + "/status/" + id());
  }
}
