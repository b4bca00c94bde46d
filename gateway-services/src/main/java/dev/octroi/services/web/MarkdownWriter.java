package dev.octroi.services.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;

/**
 * Markdown (CommonMark, with tables) of an HTML element. Used once: it stops writing after {@link
 * #LONGEST} characters, for a small page can stand for a large text.
 */
final class MarkdownWriter {

  /** Characters. */
  private static final int LONGEST = 1 << 20;

  /** Lists and quotations in one another; what is nested deeper is written as if it were not. */
  private static final int DEEPEST = 12;

  private static final Set<String> CONTAINERS =
      Set.of(
          "div",
          "section",
          "article",
          "main",
          "body",
          "header",
          "figure",
          "figcaption",
          "details",
          "summary",
          "dl",
          "dt",
          "dd",
          "address",
          "center",
          "fieldset",
          "tbody",
          "thead",
          "tfoot",
          "tr",
          "td",
          "th",
          "caption",
          "html",
          "hgroup",
          "search");

  private static final Set<String> BLOCKS =
      Set.of(
          "p",
          "h1",
          "h2",
          "h3",
          "h4",
          "h5",
          "h6",
          "ul",
          "ol",
          "menu",
          "li",
          "pre",
          "blockquote",
          "table",
          "hr");

  private final InlineMarkdown inline = new InlineMarkdown(LONGEST);
  private int depth;

  private MarkdownWriter() {}

  static String of(Element element) {
    return String.join("\n\n", new MarkdownWriter().blocks(element));
  }

  /** The blocks within an element; text between them is a paragraph of its own. */
  private List<String> blocks(Element parent) {
    List<String> blocks = new ArrayList<>();
    List<Node> loose = new ArrayList<>();
    for (Node node : parent.childNodes()) {
      if (node instanceof Element element && isBlock(element)) {
        paragraph(loose, blocks);
        block(element, blocks);
      } else {
        loose.add(node);
      }
    }
    paragraph(loose, blocks);
    return blocks;
  }

  private static boolean isBlock(Element element) {
    String name = element.normalName();
    return BLOCKS.contains(name)
        || CONTAINERS.contains(name)
        || (element.childrenSize() > 0
            && element.children().stream()
                .anyMatch(
                    child ->
                        BLOCKS.contains(child.normalName())
                            || CONTAINERS.contains(child.normalName())));
  }

  private void paragraph(List<Node> nodes, List<String> blocks) {
    String text = inline.of(nodes);
    nodes.clear();
    if (!text.isEmpty()) {
      blocks.add(text);
    }
  }

  private void block(Element element, List<String> blocks) {
    String name = element.normalName();
    switch (name) {
      case "h1", "h2", "h3", "h4", "h5", "h6" -> heading(element, name.charAt(1) - '0', blocks);
      case "p" -> blocks.addAll(blocks(element));
      case "pre" -> fence(element, blocks);
      case "hr" -> blocks.add("---");
      case "ul", "ol", "menu" -> nested(element, blocks, this::list);
      case "blockquote" -> nested(element, blocks, this::quotation);
      case "table" -> nested(element, blocks, this::table);
      default -> blocks.addAll(blocks(element));
    }
  }

  private void heading(Element element, int level, List<String> blocks) {
    String text = inline.of(element.childNodes()).replace('\n', ' ').strip();
    if (!text.isEmpty()) {
      blocks.add("#".repeat(level) + " " + text);
    }
  }

  private void fence(Element element, List<String> blocks) {
    String code = inline.verbatim(element.wholeText()).stripTrailing();
    if (code.isBlank()) {
      return;
    }
    String fence = "`".repeat(Math.max(3, 1 + longestRun(code)));
    blocks.add(fence + language(element) + "\n" + code + "\n" + fence);
  }

  /** Of backticks. */
  private static int longestRun(String code) {
    int longest = 0;
    int run = 0;
    for (int at = 0; at < code.length(); at++) {
      run = code.charAt(at) == '`' ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    return longest;
  }

  private static String language(Element element) {
    Element code = element.selectFirst("[class*=language-]");
    if (code == null) {
      return "";
    }
    return code.classNames().stream()
        .filter(word -> word.matches("language-[A-Za-z0-9+#-]{1,20}"))
        .map(word -> word.substring("language-".length()).toLowerCase(Locale.ROOT))
        .findFirst()
        .orElse("");
  }

  /** How one kind of nesting block is written. */
  @FunctionalInterface
  private interface Nesting {
    String written(Element element);
  }

  private void nested(Element element, List<String> blocks, Nesting how) {
    if (depth >= DEEPEST) {
      blocks.addAll(blocks(element));
      return;
    }
    depth++;
    String text = how.written(element);
    depth--;
    if (!text.isBlank()) {
      blocks.add(text);
    }
  }

  private String list(Element list) {
    boolean numbered = list.normalName().equals("ol");
    List<String> items = new ArrayList<>();
    for (Element item : list.children()) {
      String text = String.join("\n", blocks(item));
      if (!text.isBlank()) {
        String mark = numbered ? (items.size() + 1) + ". " : "- ";
        items.add(mark + text.replace("\n", "\n" + " ".repeat(mark.length())));
      }
    }
    return String.join("\n", items);
  }

  private String quotation(Element quotation) {
    return String.join("\n\n", blocks(quotation))
        .lines()
        .map(line -> line.isEmpty() ? ">" : "> " + line)
        .collect(Collectors.joining("\n"));
  }

  /** A table whose rows are alike; any other, which is layout, as the blocks in its cells. */
  private String table(Element table) {
    List<List<String>> rows = new ArrayList<>();
    boolean layout = !table.select("table table").isEmpty();
    if (!layout) {
      for (Element row : table.select("tr")) {
        List<String> cells = row.select("> th, > td").stream().map(this::cell).toList();
        if (!cells.isEmpty()) {
          rows.add(cells);
        }
      }
    }
    long widths = rows.stream().map(List::size).distinct().count();
    if (layout || widths != 1 || rows.get(0).size() < 2) {
      return String.join("\n\n", blocks(table));
    }
    List<String> lines = new ArrayList<>(rows.stream().map(MarkdownWriter::line).toList());
    lines.add(1, "|" + " --- |".repeat(rows.get(0).size()));
    return String.join("\n", lines);
  }

  private String cell(Element cell) {
    return inline.of(cell.childNodes()).replace('\n', ' ').replace("|", "\\|");
  }

  private static String line(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |";
  }
}
