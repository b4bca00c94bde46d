package dev.octroi.sandbox.websearch;

import dev.octroi.sandbox.formula.Refusal;
import dev.octroi.sandbox.formula.Row;
import java.net.URI;
import java.util.List;

/** The sandbox's web, for its other vendors. Thread-safe. */
public final class WebPages {

  private static final int MOST = 60;

  private WebPages() {}

  /** Read and indexed when it is first asked. */
  private static final class Loaded {

    private static final Corpus CORPUS = Corpus.load();
    private static final PageIndex INDEX = new PageIndex(CORPUS.pages(), new Words());
  }

  static Corpus corpus() {
    return Loaded.CORPUS;
  }

  static PageIndex index() {
    return Loaded.INDEX;
  }

  /** The pages on a subject, the best first. */
  public static List<Row> about(String text) {
    return index().search(text, Wanted.any(), MOST).stream()
        .map(PageIndex.Hit::page)
        .map(WebPages::row)
        .toList();
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
