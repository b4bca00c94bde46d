package dev.octroi.api.http;

import dev.octroi.api.http.Compression.AcceptEncoding;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads {@code Accept} with its weights (RFC 9110, 12.5.1) for the one choice that there is. */
public final class AcceptHtml {

  private AcceptHtml() {}

  /**
   * Whether a page is wanted rather than JSON: it is named, and weighs more than JSON does where
   * that is named, and as much as anything. Where other types are named too, a browser names XHTML
   * as well: Java's own client names {@code text/html} and pictures unless it is told otherwise.
   *
   * @param header all that was sent, comma-separated; null for nothing
   */
  public static boolean isPreferred(@Nullable String header) {
    if (header == null) {
      return false;
    }
    double html = 0;
    double json = 0;
    double any = 0;
    boolean xhtml = false;
    boolean others = false;
    for (String element : header.split(",", -1)) {
      String[] parts = element.split(";", -1);
      double weight = AcceptEncoding.weight(parts);
      switch (parts[0].strip().toLowerCase(Locale.ROOT)) {
        case "text/html" -> html = Math.max(html, weight);
        case "application/xhtml+xml" -> xhtml = true;
        case "application/json", "application/*" -> json = Math.max(json, weight);
        case "*/*", "*" -> any = Math.max(any, weight);
        default -> others = true;
      }
    }
    return html > json && html >= any && (xhtml || !others);
  }
}
