package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Magic;
import dev.octroi.sandbox.vendor.Seeded;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A news article. Its id holds its slot of time and a check, so that every id that was ever shown
 * can be looked up and a made-up one is unknown.
 *
 * @param slot half-hours since the epoch
 */
record Article(long slot) {

  static final long GAP = 1_800;

  private static final int CHECK = 16;

  private static final List<String> SOURCES =
      CryptoDataVendor.CONTRACT.words("GET /news/feed", "source").subList(0, 6);

  private static final List<String> HEADLINES =
      List.of(
          "%s sees its busiest day this quarter", "Developers of %s set a date for the upgrade",
          "%s holders vote on fees", "What the latest figures say about %s",
          "%s joins a new settlement pilot", "Analysts are divided over %s");

  /** The article of an id that is not newer than now; a magic value stands for an early one. */
  static Article of(String id, long now) {
    if (Magic.in(id).isPresent()) {
      return new Article(1_000_000);
    }
    if (id.matches("[0-9a-f]{24}")) {
      Article article = new Article(Long.parseLong(id.substring(0, 24 - CHECK), 16));
      if (article.id().equals(id) && article.slot < now / GAP) {
        return article;
      }
    }
    throw Refusal.notFound("Article");
  }

  String id() {
    return String.format("%08x", slot) + Seeded.of("article", slot).hex(CHECK);
  }

  Project project() {
    return Seeded.of("about", slot).pick(Project.ALL);
  }

  String source() {
    return Seeded.of("source", slot).pick(SOURCES);
  }

  String title() {
    return String.format(Seeded.of("headline", slot).pick(HEADLINES), project().name());
  }

  boolean matches(String text) {
    String wanted = text.toLowerCase(Locale.ROOT);
    return title().toLowerCase(Locale.ROOT).contains(wanted)
        || project().symbol().equalsIgnoreCase(text);
  }

  boolean isAbout(String text) {
    return project().slug().equalsIgnoreCase(text)
        || project().name().equalsIgnoreCase(text)
        || project().symbol().equalsIgnoreCase(text)
        || project().id().equals(text);
  }

  /** What lists show. */
  Fields summary(Map<String, List<String>> highlights) {
    Fields shown = Fields.of("highlights", highlights);
    shown.putAll(common());
    return shown;
  }

  /** The whole article. */
  Fields full() {
    Fields shown =
        Fields.of(
            "content",
            title() + ".\n\n" + project().description() + "\n\nThis article is sandbox text.");
    shown.putAll(common());
    return shown;
  }

  private Fields common() {
    return Fields.of("id", id())
        .and("project_id", project().id())
        .and("project_name", project().name())
        .and("published_at", slot * GAP)
        .and("source", source().toUpperCase(Locale.ROOT))
        .and("summary", project().description())
        .and("title", title())
        .and("url", "https://news.example/" + id());
  }
}
