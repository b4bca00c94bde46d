package dev.octroi.api.docs;

import dev.octroi.api.discovery.PageTemplate;
import dev.octroi.services.JarResource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * The guide: the project's own pages, which lie beside this class as Markdown. Each is rendered
 * when it is first asked for, and kept. Thread-safe.
 */
public final class GuidePages {

  /** What one wants to do, in the order in which one does it. */
  static final List<String> TASKS =
      List.of(
          "first-payment",
          "sell-your-api",
          "go-live",
          "key-with-a-budget",
          "payment-in-doubt",
          "refund",
          "see-what-fails",
          "see-your-margin",
          "why-was-i-charged",
          "upgrade",
          "restore-a-backup");

  /** What one looks up. */
  static final List<String> REFERENCE =
      List.of(
          "routes",
          "prices",
          "discovery",
          "language-sdks",
          "embedding",
          "going-live",
          "configuration",
          "operator",
          "console",
          "webhooks",
          "operations",
          "security",
          "glossary");

  private static final String INDEX = "";
  private static final List<Extension> TABLES = List.of(TablesExtension.create());

  private final Map<String, Page> pages = new ConcurrentHashMap<>();

  /** A page. */
  private record Page(String title, String html) {}

  /** Made when the first page is asked for, not when a gateway starts. */
  private static final class Frame {

    static final PageTemplate TEMPLATE = PageTemplate.of("guide.html");
  }

  /** The content security policy that pages are sent with. */
  String policy() {
    return Frame.TEMPLATE.policy();
  }

  /**
   * A page of the guide.
   *
   * @param word what it is called; empty for the list of all
   */
  Optional<byte[]> page(String word) {
    if (!word.equals(INDEX) && !TASKS.contains(word) && !REFERENCE.contains(word)) {
      return Optional.empty();
    }
    Page page = word.equals(INDEX) ? index() : rendered(word);
    return Optional.of(
        Frame.TEMPLATE.filled(
            Map.of(
                "title", PageTemplate.escaped(page.title()),
                "content", page.html(),
                "up", word.equals(INDEX) ? "" : "<p><a href=\"../guide\">All pages</a></p>\n")));
  }

  private Page index() {
    return new Page(
        "Guide",
        "<h1>Guide</h1>\n<h2>Tasks</h2>\n"
            + list(TASKS)
            + "<h2>Reference</h2>\n"
            + list(REFERENCE));
  }

  private String list(List<String> words) {
    return words.stream()
        .map(
            word ->
                "<li><a href=\"guide/"
                    + word
                    + "\">"
                    + PageTemplate.escaped(rendered(word).title())
                    + "</a></li>")
        .collect(Collectors.joining("\n", "<ul>\n", "\n</ul>\n"));
  }

  private Page rendered(String word) {
    return pages.computeIfAbsent(word, GuidePages::render);
  }

  private static Page render(String word) {
    Node document = Parser.builder().extensions(TABLES).build().parse(markdown(word));
    Headings headings = new Headings();
    document.accept(headings);
    document.accept(new Links());
    String html =
        HtmlRenderer.builder()
            .extensions(TABLES)
            .escapeHtml(true)
            .sanitizeUrls(true)
            .attributeProviderFactory(
                context ->
                    (node, tag, attributes) -> {
                      Optional.ofNullable(headings.ids.get(node))
                          .ifPresent(id -> attributes.put("id", id));
                      if (tag.equals("pre") || tag.equals("table")) {
                        // What is wider than a phone is scrolled, by keyboard too.
                        attributes.put("tabindex", "0");
                      }
                    })
            .build()
            .render(document);
    return new Page(headings.title, html);
  }

  private static String markdown(String word) {
    return JarResource.text(
        GuidePages.class, "guide/" + (TASKS.contains(word) ? "tasks/" : "") + word + ".md");
  }

  /** Finds the title, and names headings as the pages' own links do. */
  private static final class Headings extends AbstractVisitor {

    private final Map<Node, String> ids = new HashMap<>();
    private String title = "";

    @Override
    public void visit(Heading heading) {
      StringBuilder text = new StringBuilder();
      heading.accept(
          new AbstractVisitor() {
            @Override
            public void visit(Heading same) {
              visitChildren(same);
            }

            @Override
            public void visit(Text part) {
              text.append(part.getLiteral());
            }

            @Override
            public void visit(Code part) {
              text.append(part.getLiteral());
            }
          });
      if (title.isEmpty()) {
        title = text.toString();
      }
      ids.put(
          heading,
          text.toString()
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-'));
    }
  }

  /** Leads to pages of the guide; what else lies in the project is named and not led to. */
  private static final class Links extends AbstractVisitor {

    @Override
    public void visit(Link link) {
      visitChildren(link);
      String to = link.getDestination();
      if (to.startsWith("https://") || to.startsWith("#")) {
        return;
      }
      String[] parts = to.split("#", 2);
      String word = parts[0].replaceFirst("^(\\.\\./|tasks/)", "").replaceFirst("\\.md$", "");
      if (Stream.concat(TASKS.stream(), REFERENCE.stream()).anyMatch(word::equals)) {
        link.setDestination(word + (parts.length > 1 ? "#" + parts[1] : ""));
        return;
      }
      List<Node> children = new ArrayList<>();
      for (Node child = link.getFirstChild(); child != null; child = child.getNext()) {
        children.add(child);
      }
      children.forEach(link::insertBefore);
      link.unlink();
    }
  }
}
