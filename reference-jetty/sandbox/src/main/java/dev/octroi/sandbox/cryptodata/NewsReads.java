package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Magic;
import dev.octroi.sandbox.vendor.Seeded;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** News: the feed, single articles and the search over them. */
record NewsReads(World world) implements Family {

  private static final int KEPT = 700;

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /news/feed", this::feed,
        "GET /news/detail", ask -> Answers.plain(Article.of(ask.text("id"), world.now()).full()),
        "GET /search/news", this::search);
  }

  private Stream<Article> recent() {
    long newest = world.now() / Article.GAP - 1;
    return LongStream.range(0, KEPT).mapToObj(back -> new Article(newest - back));
  }

  private Fields feed(Ask ask) {
    ask.maybe("project").filter(text -> Magic.in(text).isEmpty()).ifPresent(Project::of);
    long from = ask.time("from").orElse(0L);
    long to = ask.time("to").orElse(Long.MAX_VALUE);
    Stream<Article> articles =
        recent()
            .filter(
                article -> ask.maybe("project").map(text -> isAbout(article, text)).orElse(true))
            .filter(article -> ask.maybe("source").map(article.source()::equals).orElse(true))
            .filter(article -> article.slot() * Article.GAP >= from)
            .filter(article -> article.slot() * Article.GAP <= to);
    if (ask.is("sort_by", "trending")) {
      articles =
          articles.sorted(
              Comparator.comparing(article -> Seeded.of("trend", article.slot()).hex(8)));
    }
    return Answers.page(ask, articles.map(article -> article.summary(Map.of())).toList());
  }

  private static boolean isAbout(Article article, String text) {
    return Magic.in(text).isPresent() || article.isAbout(text);
  }

  private Fields search(Ask ask) {
    String text = ask.text("q");
    List<Fields> found =
        recent()
            .filter(article -> article.matches(text))
            .map(article -> article.summary(Map.of("title", List.of(article.title()))))
            .toList();
    return Answers.page(ask, found);
  }
}
