package dev.octroi.sandbox.websearch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.sandbox.websearch.PageIndex.Hit;
import dev.octroi.sandbox.websearch.Passages.Passage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the vendor says to each of its requests. Thread-safe. */
final class Searches {

  private static final int ANSWER_PAGES = 3;

  private Searches() {}

  static Map<String, @Nullable Object> search(Ask ask) {
    String query = ask.text("query");
    List<Object> results = new ArrayList<>();
    List<Hit> found =
        WebPages.index().search(query, ask.wanted(), WebPages.corpus().pages().size()).stream()
            .filter(hit -> ask.wants(hit.page()))
            .toList();
    WebPages.index().related(query, found).stream()
        .limit(ask.results())
        .forEach(
            hit -> {
              Map<String, @Nullable Object> result = scored(hit);
              addContents(result, hit.page(), ask.root().path("contents"), query);
              results.add(result);
            });
    return fields("searchType", "neural", "results", results);
  }

  /** Pages with the words of the page; itself is left out. */
  static Map<String, @Nullable Object> similar(Ask ask) {
    Page page =
        WebPages.corpus()
            .at(ask.text("url"))
            .orElseThrow(() -> new Refused("SOURCE_NOT_AVAILABLE", "The page cannot be read"));
    List<Object> results = new ArrayList<>();
    WebPages.index()
        .search(page.title() + " " + page.text(), Wanted.any(), ask.results() + 1)
        .stream()
        .filter(hit -> !hit.page().equals(page))
        .limit(ask.results())
        .forEach(
            hit -> {
              Map<String, @Nullable Object> result = scored(hit);
              addContents(result, hit.page(), ask.root().path("contents"), page.title());
              results.add(result);
            });
    return fields("results", results);
  }

  static Map<String, @Nullable Object> contents(Ask ask) {
    List<Object> results = new ArrayList<>();
    List<Object> statuses = new ArrayList<>();
    for (String url : ask.urls()) {
      Optional<Page> page = WebPages.corpus().at(url);
      page.ifPresent(there -> results.add(content(ask, url, there)));
      statuses.add(page.isPresent() ? fields("id", url, "status", "success") : missing(url));
    }
    return fields("results", results, "statuses", statuses);
  }

  private static Map<String, @Nullable Object> missing(String url) {
    return fields(
        "id",
        url,
        "status",
        "error",
        "error",
        fields("tag", "CRAWL_NOT_FOUND", "httpStatusCode", 404));
  }

  private static Map<String, @Nullable Object> content(Ask ask, String url, Page page) {
    Map<String, @Nullable Object> result = described(page);
    result.put("id", url);
    addContents(result, page, ask.root(), page.title());
    return result;
  }

  /** The text, the passages and the summary of a page, as far as they are wanted. */
  private static void addContents(
      Map<String, @Nullable Object> result, Page page, JsonNode wanted, String query) {
    Ask.textOf(wanted).ifPresent(most -> result.put("text", cut(page.told(), most)));
    JsonNode highlights = wanted.path("highlights");
    if (highlights.isObject() || highlights.asBoolean()) {
      List<Passage> found =
          WebPages.passages()
              .of(
                  page,
                  highlights.path("query").asText(query),
                  Ask.count(highlights.path("numSentences"), 1, 100),
                  Ask.count(highlights.path("highlightsPerUrl"), 1, 100));
      result.put("highlights", found.stream().map(Passage::text).toList());
      result.put("highlightScores", found.stream().map(Passage::score).toList());
    }
    JsonNode summary = wanted.path("summary");
    if (summary.isObject() || summary.asBoolean()) {
      String about = summary.path("query").asText(query);
      result.put("summary", WebPages.passages().of(page, about, 1, 1).get(0).text());
    }
  }

  /** The best sentence of each of the best pages, which are what is cited. */
  static Map<String, @Nullable Object> answer(Ask ask) {
    String query = ask.text("query");
    List<Object> citations = new ArrayList<>();
    List<String> sentences = new ArrayList<>();
    List<Hit> found = WebPages.index().search(query, Wanted.any(), ANSWER_PAGES);
    for (Hit hit : WebPages.index().related(query, found)) {
      Passage best = WebPages.passages().of(hit.page(), query, 1, 1).get(0);
      if (best.score() > 0) {
        sentences.add(best.text());
        Map<String, @Nullable Object> citation = described(hit.page());
        Ask.textOf(ask.root()).ifPresent(most -> citation.put("text", hit.page().told()));
        citations.add(citation);
      }
    }
    String answer =
        sentences.isEmpty() ? "Nothing in the sandbox answers this." : String.join(" ", sentences);
    return fields("answer", answer, "citations", citations);
  }

  private static Map<String, @Nullable Object> scored(Hit hit) {
    Map<String, @Nullable Object> result = described(hit.page());
    result.put("score", hit.score());
    return result;
  }

  private static Map<String, @Nullable Object> described(Page page) {
    return fields(
        "id",
        page.url(),
        "title",
        page.title(),
        "url",
        page.url(),
        "publishedDate",
        page.publishedDate(),
        "author",
        page.author());
  }

  private static String cut(String text, int most) {
    return text.substring(0, Math.min(most, text.length()));
  }

  /** An object of names and values in turn, in their order. */
  static Map<String, @Nullable Object> fields(Object... namesAndValues) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    for (int at = 0; at < namesAndValues.length; at += 2) {
      fields.put((String) namesAndValues[at], namesAndValues[at + 1]);
    }
    return fields;
  }
}
