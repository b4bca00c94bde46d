package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Seeded;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The web: a search over it and the text of one page, both invented. */
record WebReads() implements Family {

  private static final List<String> SITES =
      List.of("docs.example", "blog.example", "wiki.example", "forum.example", "reports.example");

  private static final int HITS = 60;

  @Override
  public Map<String, Reading> readings() {
    return Map.of("GET /search/web", WebReads::search, "GET /web/fetch", WebReads::fetch);
  }

  private static Fields search(Ask ask) {
    String text = ask.text("q");
    boolean content = ask.is("include_content", "true");
    return Answers.page(
        ask,
        HITS,
        index -> {
          Seeded seeded = Seeded.of("web", text.toLowerCase(Locale.ROOT), index);
          String site = ask.maybe("site").orElse(seeded.pick(SITES));
          return Fields.of("content", content ? "Sandbox text about " + text + "." : "")
              .and("description", "What " + site + " says about " + text + ".")
              .and("title", text + ": part " + (index + 1))
              .and("url", "https://" + site + "/" + seeded.hex(10));
        });
  }

  private static Fields fetch(Ask ask) {
    URI url = url(ask.text("url"));
    return Answers.plain(
        Fields.of("content", "# " + url.getHost() + "\n\nSandbox text of " + url.getPath() + ".")
            .and("title", "Page at " + url.getHost())
            .and("url", url.toString()));
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
}
