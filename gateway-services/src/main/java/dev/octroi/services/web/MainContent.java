package dev.octroi.services.web;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/**
 * The part of a page that one comes for. The page's own marks are believed; without any, the part
 * wins that holds the most running text outside of links.
 */
final class MainContent {

  private static final String NOISE =
      "script, style, noscript, template, iframe, object, svg, canvas, form, button, nav, aside,"
          + " dialog, footer, [hidden], [aria-hidden=true], [role=navigation], [role=banner],"
          + " [role=contentinfo], [role=complementary], [role=dialog], body > header";

  private static final String MARKED = "main, [role=main], article, [itemprop=articleBody]";
  private static final String RUNNING_TEXT = "p, li, pre, td, blockquote, dd";

  private static final Set<String> EMPHASIS = Set.of("b", "strong", "i", "em", "code", "span");

  /** Marks that are looked at: pages that have more of them mark something else with them. */
  private static final int MOST_MARKS = 20;

  /** A mark around less than this share of the page's text marks something else, such as a card. */
  private static final double BELIEVED = 0.3;

  private MainContent() {}

  /** Takes the noise out of the document, and shows where the content is. */
  static Element of(Document document) {
    Element body = document.body();
    body.select(NOISE).forEach(Element::remove);
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
