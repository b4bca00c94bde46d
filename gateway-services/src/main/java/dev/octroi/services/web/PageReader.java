package dev.octroi.services.web;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.jsoup.select.Selector.SelectorParseException;

/** From a page as it was fetched to what there is to read on it. Thread-safe. */
public final class PageReader {

  /** What is nested deeper is flattened. */
  private static final int DEPTH = 256;

  private static final int LONGEST_TITLE = 500;

  private PageReader() {}

  /** All that is worth reading. */
  public static ReadablePage read(Fetched.Page page) {
    return read(page, Optional.empty(), Optional.empty());
  }

  /**
   * A part of a page; plain text has none.
   *
   * @param part a CSS selector of what is wanted
   * @param without a CSS selector of what is not
   * @throws Failure 400 {@code invalid_params} for what is no selector
   */
  public static ReadablePage read(
      Fetched.Page page, Optional<String> part, Optional<String> without) {
    if (!page.html()) {
      String text = new String(page.body(), page.charset().orElse(StandardCharsets.UTF_8));
      return new ReadablePage(page.url(), "", Optional.empty(), text.strip());
    }
    Document document = parsed(page);
    String title = title(document);
    Optional<String> published = published(document);
    without.ifPresent(css -> selected("remove_selector", document, css).forEach(Element::remove));
    String markdown =
        part.map(css -> joined(selected("target_selector", document, css)))
            .orElseGet(() -> MarkdownWriter.of(MainContent.of(document)));
    return new ReadablePage(page.url(), title, published, markdown);
  }

  private static Document parsed(Fetched.Page page) {
    String charset = page.charset().map(Charset::name).orElse(null);
    try {
      return Jsoup.parse(
          new ByteArrayInputStream(page.body()),
          charset,
          page.url().toString(),
          Parser.htmlParser().setMaxDepth(DEPTH));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Iterable<Element> selected(String name, Document document, String css) {
    try {
      return document.select(css);
    } catch (SelectorParseException | IllegalArgumentException noSelector) {
      throw new Failure(ErrorCode.INVALID_PARAMS, name + " is a CSS selector");
    }
  }

  private static String joined(Iterable<Element> elements) {
    Element all = new Element("div");
    elements.forEach(element -> all.appendChild(element.clone()));
    return MarkdownWriter.of(all);
  }

  private static String title(Document document) {
    Element shared = document.selectFirst("meta[property=og:title][content]");
    String title = shared == null ? document.title() : shared.attr("content").strip();
    return title.substring(0, Math.min(LONGEST_TITLE, title.length()));
  }

  private static Optional<String> published(Document document) {
    Element told =
        document.selectFirst(
            "meta[property=article:published_time][content], meta[name=date][content],"
                + " time[pubdate][datetime], article time[datetime]");
    if (told == null) {
      return Optional.empty();
    }
    String text = told.hasAttr("content") ? told.attr("content") : told.attr("datetime");
    return isDate(text.strip()) ? Optional.of(text.strip()) : Optional.empty();
  }

  private static boolean isDate(String text) {
    try {
      if (text.contains("T")) {
        OffsetDateTime.parse(text);
      } else {
        LocalDate.parse(text);
      }
      return true;
    } catch (DateTimeException other) {
      return false;
    }
  }
}
