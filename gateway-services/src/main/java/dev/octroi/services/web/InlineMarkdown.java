package dev.octroi.services.web;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;

/** Markdown of text, links and emphasis, with a bound over all that it writes. */
final class InlineMarkdown {

  /** What would be read as Markdown and was not meant so. */
  private static final Pattern MARKS = Pattern.compile("([\\\\`*\\[\\]<]|(?<!\\w)_|_(?!\\w))");

  private static final Pattern BLANKS = Pattern.compile("[ \\t\\r\\n\\f\\u00a0]+");
  private static final Pattern BLANKS_OF_A_LINE = Pattern.compile("[ \\t\\u00a0]+");
  private static final Pattern LINE_ENDS = Pattern.compile(" *\\n *");

  /** A line that text would begin a block with. */
  private static final Pattern BLOCK_MARK = Pattern.compile("^([#>+-]|\\d{1,9}[.)])(?=\\s|$)");

  private static final int LONGEST_ADDRESS = 2_048;

  private int left;

  /**
   * @param most characters
   */
  InlineMarkdown(int most) {
    this.left = most;
  }

  /** A paragraph of these nodes; empty if there is nothing to read in them. */
  String of(List<Node> nodes) {
    StringBuilder text = new StringBuilder();
    nodes.forEach(node -> write(node, text));
    String tidy =
        LINE_ENDS.matcher(BLANKS_OF_A_LINE.matcher(text).replaceAll(" ")).replaceAll("\n");
    return BLOCK_MARK.matcher(tidy.strip()).replaceFirst("\\\\$1");
  }

  /** Text as it is, within the bound. */
  String verbatim(String text) {
    String taken = text.substring(0, Math.min(left, text.length()));
    left -= taken.length();
    return taken;
  }

  private void write(Node node, StringBuilder text) {
    if (left <= 0) {
      return;
    }
    if (node instanceof TextNode words) {
      String plain = BLANKS.matcher(words.getWholeText()).replaceAll(" ");
      text.append(verbatim(MARKS.matcher(plain).replaceAll("\\\\$1")));
    } else if (node instanceof Element element) {
      element(element, text);
    }
  }

  private void element(Element element, StringBuilder text) {
    switch (element.normalName()) {
      case "br" -> text.append('\n');
      case "b", "strong" -> marked(element, "**", text);
      case "i", "em", "cite" -> marked(element, "*", text);
      case "del", "s", "strike" -> marked(element, "~~", text);
      case "code", "kbd", "samp", "tt" -> code(element, text);
      case "a" -> link(element, text);
      case "img" -> image(element, text);
      case "script", "style", "noscript", "template" -> {
        // Nothing to read.
      }
      default -> children(element, text);
    }
  }

  private void children(Element element, StringBuilder text) {
    element.childNodes().forEach(node -> write(node, text));
  }

  /** Blanks at the edges stand outside of the marks, else they are none. */
  private void marked(Element element, String mark, StringBuilder text) {
    StringBuilder within = new StringBuilder();
    children(element, within);
    String words = within.toString();
    if (words.isBlank()) {
      text.append(words);
      return;
    }
    String stripped = words.strip();
    int start = words.indexOf(stripped);
    text.append(words, 0, start)
        .append(mark)
        .append(stripped)
        .append(mark)
        .append(words.substring(start + stripped.length()));
  }

  private void code(Element element, StringBuilder text) {
    String code = verbatim(BLANKS.matcher(element.wholeText()).replaceAll(" ").strip());
    if (code.isEmpty()) {
      return;
    }
    String tick = code.contains("`") ? "``" : "`";
    String pad = code.startsWith("`") || code.endsWith("`") ? " " : "";
    text.append(tick).append(pad).append(code).append(pad).append(tick);
  }

  private void link(Element element, StringBuilder text) {
    StringBuilder within = new StringBuilder();
    children(element, within);
    String words = within.toString().strip();
    Optional<String> url = address(element.absUrl("href"));
    if (words.isEmpty() || url.isEmpty()) {
      text.append(within);
      return;
    }
    text.append('[').append(words).append("](").append(verbatim(url.get())).append(')');
  }

  private void image(Element element, StringBuilder text) {
    String words = BLANKS.matcher(element.attr("alt")).replaceAll(" ").strip();
    Optional<String> url = address(element.absUrl("src"));
    if (!words.isEmpty() && url.isPresent()) {
      text.append("![").append(verbatim(MARKS.matcher(words).replaceAll("\\\\$1"))).append("](");
      text.append(verbatim(url.get())).append(')');
    }
  }

  /** An address of the web that does not end the link too early. */
  private static Optional<String> address(String url) {
    return (url.startsWith("http://") || url.startsWith("https://"))
            && url.length() <= LONGEST_ADDRESS
        ? Optional.of(url.replace("(", "%28").replace(")", "%29").replace(" ", "%20"))
        : Optional.empty();
  }
}
