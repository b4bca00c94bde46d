package dev.octroi.services.web;

import dev.octroi.services.Failure;
import dev.octroi.services.web.PageFetcher.Fetched;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.parser.Parser;
import org.jsoup.select.Selector.SelectorParseException;

/** From a page as it was fetched to what there is to read on it. Thread-safe. */
public final class PageReader {

  /** What is nested deeper is flattened. */
  private static final int DEPTH = 256;

  private static final int LONGEST_TITLE = 500;

  /** None of these may end a value, or begin a test, where it is read another way. */
  private static final String VALUE = "[^\"'\\[\\]()~\\\\]*+";

  private static final String WORD = "[\\p{L}\\p{N}_-]++";

  private static final String ELEMENT =
      "(?:\\*|"
          + WORD
          + ")?+(?:[#.]"
          + WORD
          + "|\\["
          + WORD
          + "(?:[\\^$*]?+=(?:\""
          + VALUE
          + "\"|'"
          + VALUE
          + "'|"
          + WORD
          + "))?+\\]){0,10}+";

  /**
   * Names, classes, ids and attributes of at most ten elements, by their places in one another. The
   * library's pseudo-classes take patterns, and the square of a page's length, of a stranger.
   */
  private static final Pattern SELECTOR =
      Pattern.compile(
          "\\s*+" + ELEMENT + "(?:(?:\\s++(?:[>+,]\\s*+)?+|[>+,]\\s*+)" + ELEMENT + "){0,9}+");

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
    without.ifPresent(css -> remove(selected("remove_selector", document, css)));
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
    if (!SELECTOR.matcher(css).matches()) {
      throw noSelector(name);
    }
    try {
      return document.select(css);
    } catch (SelectorParseException | IllegalArgumentException noSelector) {
      throw noSelector(name);
    }
  }

  private static Failure noSelector(String name) {
    return Failure.invalid(name + " is a CSS selector without pseudo-classes, not too long");
  }

  /** What lies within another of them is there once, or a small page would be a large answer. */
  private static String joined(Iterable<Element> elements) {
    Element all = new Element("div");
    Element last = all;
    for (Element element : elements) {
      if (!isWithin(element, last)) {
        all.appendChild(element.clone());
        last = element;
      }
    }
    return MarkdownWriter.of(all);
  }

  private static boolean isWithin(Element element, Element other) {
    Element above = element.parent();
    while (above != null && !above.equals(other)) {
      above = above.parent();
    }
    return above != null;
  }

  /** The library takes out one by one, each time moving all that follow. */
  private static void remove(Iterable<Element> elements) {
    Set<Node> gone = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<Element> parents = new LinkedHashSet<>();
    for (Element element : elements) {
      if (element.parent() != null) {
        gone.add(element);
        parents.add(element.parent());
      }
    }
    for (Element parent : parents) {
      List<Node> kept = parent.childNodes().stream().filter(node -> !gone.contains(node)).toList();
      parent.empty();
      parent.appendChildren(kept);
    }
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

  /**
   * The part of a page that one comes for. The page's own marks are believed; without any, the part
   * wins that holds the most running text outside of links.
   */
  private static final class MainContent {

    private static final String NOISE =
        "script, style, noscript, template, iframe, object, svg, canvas, form, button, nav, aside,"
            + " dialog, footer, [hidden], [aria-hidden=true], [role=navigation], [role=banner],"
            + " [role=contentinfo], [role=complementary], [role=dialog], body > header";

    private static final String MARKED = "main, [role=main], article, [itemprop=articleBody]";
    private static final String RUNNING_TEXT = "p, li, pre, td, blockquote, dd";

    private static final Set<String> EMPHASIS = Set.of("b", "strong", "i", "em", "code", "span");

    /** Marks that are looked at: pages that have more of them mark something else with them. */
    private static final int MOST_MARKS = 20;

    /**
     * A mark around less than this share of the page's text marks something else, such as a card.
     */
    private static final double BELIEVED = 0.3;

    private MainContent() {}

    /** Takes the noise out of the document, and shows where the content is. */
    static Element of(Document document) {
      Element body = document.body();
      remove(body.select(NOISE));
      double all = body.text().length();
      Stream<Element> marked = body.select(MARKED).stream();
      return marked
          .limit(MOST_MARKS)
          .filter(element -> element.text().length() >= BELIEVED * all)
          .findFirst()
          .orElseGet(() -> densest(body, all));
    }

    private static Element densest(Element body, double all) {
      Map<Element, Double> points = new HashMap<>();
      for (Element text : body.select(RUNNING_TEXT)) {
        double running = text.ownText().length() + 0.5 * inline(text);
        Element parent = text.parent();
        if (parent != null && !parent.equals(body)) {
          points.merge(parent, running, Double::sum);
          Element above = parent.parent();
          if (above != null && !above.equals(body)) {
            points.merge(above, running / 2, Double::sum);
          }
        }
      }
      return points.entrySet().stream()
          .max(Map.Entry.comparingByValue())
          .map(Map.Entry::getKey)
          .filter(best -> best.text().length() >= BELIEVED * all)
          .orElse(body);
    }

    /** Text in emphasis and the like, but not in links. */
    private static int inline(Element text) {
      int length = 0;
      for (Element child : text.children()) {
        length += EMPHASIS.contains(child.normalName()) ? child.ownText().length() : 0;
      }
      return length;
    }
  }

  /**
   * What there is to read on a page.
   *
   * @param url where it was found
   * @param title empty where it has none
   * @param published ISO 8601, where the page tells
   * @param markdown its content; links are absolute
   */
  public record ReadablePage(URI url, String title, Optional<String> published, String markdown) {}
}
