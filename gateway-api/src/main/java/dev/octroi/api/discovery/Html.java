package dev.octroi.api.discovery;

/** What keeps text that others chose from being anything else than text. */
public final class Html {

  private Html() {}

  /** For the content of an element and the value of a quoted attribute. */
  public static String escaped(String text) {
    StringBuilder html = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> html.append("&amp;");
        case '<' -> html.append("&lt;");
        case '>' -> html.append("&gt;");
        case '"' -> html.append("&quot;");
        case '\'' -> html.append("&#39;");
        default -> html.append(c);
      }
    }
    return html.toString();
  }

  /** An address as one word of a command that a reader pastes into a shell. */
  static String shellQuoted(String url) {
    return "'" + url.replace("'", "%27") + "'";
  }
}
