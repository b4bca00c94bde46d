package dev.octroi.sandbox.websearch;

import dev.octroi.sandbox.formula.Refusal;
import dev.octroi.sandbox.formula.Row;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The sandbox's web, for its other vendors. Thread-safe. */
public final class WebPages {

  private static final int MOST = 60;

  /** The share of a question's words that its answer has. */
  private static final double MOST_WORDS = 0.75;

  private static final Words WORDS = new Words();
  private static final Passages PASSAGES = new Passages(WORDS);

  private WebPages() {}

  /** Read and indexed when it is first asked. */
  private static final class Loaded {

    private static final Corpus CORPUS = Corpus.load();
    private static final PageIndex INDEX = new PageIndex(CORPUS.pages(), WORDS);
  }

  static Corpus corpus() {
    return Loaded.CORPUS;
  }

  static PageIndex index() {
    return Loaded.INDEX;
  }

  static Passages passages() {
    return PASSAGES;
  }

  /** The pages on a subject, the best first. */
  public static List<Row> about(String text) {
    return index().search(text, Wanted.any(), MOST).stream()
        .map(PageIndex.Hit::page)
        .map(WebPages::row)
        .toList();
  }

  /**
   * What a page says on a question.
   *
   * @param text a sentence or two
   */
  public record Said(String text, String title, String url) {}

  /** What the best page says, if it has most words of a question, one of them in its title. */
  public static Optional<Said> answer(String question) {
    Set<String> wanted = words(question);
    return index().search(question, Wanted.any(), 1).stream()
        .map(PageIndex.Hit::page)
        .filter(page -> shared(wanted, page.title()) > 0)
        .filter(
            page -> shared(wanted, page.title() + " " + page.text()) >= MOST_WORDS * wanted.size())
        .findFirst()
        .map(page -> new Said(PASSAGES.best(page, question), page.title(), page.url()));
  }

  private static long shared(Set<String> wanted, String text) {
    Set<String> there = words(text);
    return wanted.stream().filter(there::contains).count();
  }

  /** The distinct words of an English text without their endings and without the common ones. */
  public static Set<String> words(String text) {
    return WORDS.of(text);
  }

  /**
   * A page as the web would give it: one of the sandbox's, or one that says that it is none.
   *
   * @throws Refusal 400 for what is no web address
   */
  public static Row fetched(String text) {
    URI url = url(text);
    return corpus()
        .at(text)
        .map(
            page ->
                Row.of(
                    "content", "# " + page.title() + "\n\n" + page.told(), "title", page.title()))
        .orElseGet(
            () ->
                Row.of(
                    "content",
                    "# " + url.getHost() + "\n\nSandbox text of " + url.getPath() + ".",
                    "title",
                    "Page at " + url.getHost()))
        .with("url", url.toString());
  }

  private static URI url(String text) {
    try {
      URI url = URI.create(text);
      boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      if (web && url.getHost() != null) {
        return url;
      }
    } catch (IllegalArgumentException malformed) {
      // Refused below, as any other text that is no web address.
    }
    throw Refusal.badRequest("Parameter url must be an absolute http or https address");
  }

  private static Row row(Page page) {
    String text = page.text();
    return Row.of("title", page.title(), "url", page.url(), "text", text)
        .with("start", text.substring(0, Math.min(160, text.length())));
  }
}
