package dev.octroi.api.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.octroi.payments.x402.Challenges;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes what a challenge says for people. Whatever comes from a request is escaped. */
final class PaywallPage {

  private static final JsonMapper JSON = new JsonMapper();
  private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z]+)}}");

  private final String template = file("paywall.html");
  private final String style = file("paywall.css");
  private final String serviceName;
  private final String worthless;

  PaywallPage(String serviceName, boolean sandbox) {
    this.serviceName = serviceName;
    this.worthless =
        sandbox
            ? note(
                "This is a sandbox: its money is worthless. Never sign for it with a key that holds"
                    + " real money.")
            : "";
  }

  /** Nothing is loaded and nothing runs; the page's own style is known by its hash. */
  String policy() {
    return "default-src 'none'; style-src 'sha256-"
        + sha256(style)
        + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  }

  /**
   * The page.
   *
   * @param base the address of the application, without a slash at its end
   * @param challenge the body of the challenge in any of its versions
   */
  byte[] of(String method, String base, byte[] challenge) {
    JsonNode body = read(challenge);
    JsonNode first = body.path("accepts").path(0);
    String url = body.at("/resource/url").asText(first.path("resource").asText());
    String about = body.at("/resource/description").asText(first.path("description").asText());
    Map<String, String> parts =
        Map.of(
            "style", style,
            "service", Html.escaped(serviceName),
            "price", Html.escaped(dollars(body.at("/price/amount").asText())),
            "about", Html.escaped(about),
            "method", Html.escaped(method),
            "url", Html.escaped(url),
            "base", Html.escaped(base),
            "notes", reason(body) + worthless,
            "offers", offers(body.path("accepts")),
            "commands", commands(method, url));
    Matcher place = PLACE.matcher(template);
    return place
        .replaceAll(found -> Matcher.quoteReplacement(parts.getOrDefault(found.group(1), "")))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String commands(String method, String url) {
    String quoted = Html.shellQuoted(url);
    String by = method.equals("GET") ? "" : "-X " + method + " -d @body.json ";
    String data = method.equals("GET") ? "" : "-H 'Content-Type: application/json' ";
    return section(
            "Pay from the command line",
            "The quote is shown first; more than <code>--max</code> dollars are never signed.",
            "java -jar octroi.jar pay --max 1 " + by + quoted)
        + section(
            "Call with an API key",
            "With a key of this service you call without a signature; the key's wallet pays.",
            "curl " + by + data + "-H 'Authorization: Bearer sk-…' " + quoted);
  }

  private static String section(String title, String sentence, String command) {
    return """
        <section>
        <h2>%s</h2>
        <p>%s</p>
        <pre><code>%s</code></pre>
        </section>
        """
        .formatted(title, sentence, Html.escaped(command));
  }

  private static String reason(JsonNode body) {
    String code = body.path("code").asText();
    return code.equals(Challenges.PAYMENT_REQUIRED)
        ? ""
        : note("The payment that came was not taken: " + body.path("error").asText() + ".");
  }

  private static String note(String sentence) {
    return "<section class=\"note\"><p>" + Html.escaped(sentence) + "</p></section>\n";
  }

  private static String offers(JsonNode accepts) {
    StringBuilder html = new StringBuilder();
    String separator = "";
    for (JsonNode offer : accepts) {
      String amount = offer.path("amount").asText(offer.path("maxAmountRequired").asText());
      html.append(separator).append("<dl>\n");
      line(html, "Network", offer.path("network").asText());
      line(html, "Token", token(offer));
      line(html, "Amount", amount + " atomic units");
      line(html, "Pay to", offer.path("payTo").asText());
      html.append("</dl>\n");
      separator = "<hr>\n";
    }
    return html.toString();
  }

  private static String token(JsonNode offer) {
    String name = offer.at("/extra/name").asText();
    String asset = offer.path("asset").asText();
    return name.isEmpty() ? asset : name + ", " + asset;
  }

  private static void line(StringBuilder html, String name, String value) {
    html.append("<dt>").append(name).append("</dt><dd><code>");
    html.append(Html.escaped(value)).append("</code></dd>\n");
  }

  private static String dollars(String amount) {
    BigDecimal plain = new BigDecimal(amount).stripTrailingZeros();
    return plain.setScale(Math.max(2, plain.scale())).toPlainString();
  }

  private static JsonNode read(byte[] json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String file(String name) {
    try (InputStream file = PaywallPage.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(file, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return Base64.getEncoder()
          .encodeToString(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
