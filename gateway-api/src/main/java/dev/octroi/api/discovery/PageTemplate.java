package dev.octroi.api.discovery;

import dev.octroi.payments.Sha256;
import dev.octroi.services.JarResource;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page for people, from the resources beside this class, with the style that all have. Its policy
 * names its own style and script by their hashes; it loads nothing. Immutable, thread-safe.
 */
public final class PageTemplate {

  private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z]+)}}");
  private static final String NOTHING =
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final String html;
  private final String policy;

  private PageTemplate(String html, String policy) {
    this.html = html;
    this.policy = policy;
  }

  /** A page without a script. */
  public static PageTemplate of(String page) {
    return of(page, Optional.empty());
  }

  /** A page whose script calls this host, and shows pictures that it has. */
  static PageTemplate of(String page, String script) {
    return of(page, Optional.of(script));
  }

  private static PageTemplate of(String page, Optional<String> name) {
    String style = file("page.css");
    Optional<String> script = name.map(PageTemplate::file);
    String scripted =
        script
            .map(
                text ->
                    "script-src 'sha256-"
                        + sha256(text)
                        + "'; style-src 'sha256-"
                        + sha256(style)
                        + "'; connect-src 'self'; img-src data: blob:; ")
            .orElseGet(() -> "style-src 'sha256-" + sha256(style) + "'; ");
    Map<String, String> parts = Map.of("style", style, "script", script.orElse(""));
    return new PageTemplate(
        PLACE
            .matcher(file(page))
            .replaceAll(
                found ->
                    Matcher.quoteReplacement(parts.getOrDefault(found.group(1), found.group()))),
        "default-src 'none'; " + scripted + NOTHING);
  }

  /** The content security policy that the page is sent with. */
  public String policy() {
    return policy;
  }

  /**
   * The page.
   *
   * @param parts what stands in its places, as HTML
   */
  public byte[] filled(Map<String, String> parts) {
    return PLACE
        .matcher(html)
        .replaceAll(found -> Matcher.quoteReplacement(parts.getOrDefault(found.group(1), "")))
        .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Text that others chose as nothing else than text: for the content of an element and the value
   * of a quoted attribute.
   */
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

  private static String file(String name) {
    return JarResource.text(PageTemplate.class, name);
  }

  private static String sha256(String text) {
    return Base64.getEncoder().encodeToString(Sha256.of(text.getBytes(StandardCharsets.UTF_8)));
  }
}
