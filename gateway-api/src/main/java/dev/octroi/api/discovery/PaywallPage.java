package dev.octroi.api.discovery;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.octroi.payments.x402.Challenges;
import dev.octroi.services.JarResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;

/** Writes what a challenge says for people. Whatever comes from a request is escaped. */
final class PaywallPage {

  private static final JsonMapper JSON = new JsonMapper();

  /** Of every token that is paid in. */
  private static final int DECIMALS = 6;

  private static final String WORTHLESS =
      "This is a sandbox: its money is worthless. Never sign for it with a key that holds real"
          + " money.";

  private final PageTemplate template = PageTemplate.of("paywall.html", "paywall.js");
  private final JsonNode tokens = read(JarResource.bytes(PaywallPage.class, "tokens.json"));
  private final String serviceName;
  private final boolean sandbox;

  PaywallPage(String serviceName, boolean sandbox) {
    this.serviceName = serviceName;
    this.sandbox = sandbox;
  }

  String policy() {
    return template.policy();
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
        Map.ofEntries(
            entry("service", PageTemplate.escaped(serviceName)),
            entry("price", PageTemplate.escaped(price(first))),
            entry("about", PageTemplate.escaped(about)),
            entry("method", PageTemplate.escaped(method)),
            entry("url", PageTemplate.escaped(url)),
            entry("base", PageTemplate.escaped(base)),
            entry("sandbox", Boolean.toString(sandbox)),
            entry("notes", reason(body) + (sandbox ? note(WORTHLESS) : "")),
            entry("body", method.equals("GET") ? "" : requestBody(body)),
            entry("offers", offers(body.path("accepts"))),
            entry("commands", commands(method, url)));
    return template.filled(parts);
  }

  /** The script cannot know what a browser has sent: an example stands there to be changed. */
  private static String requestBody(JsonNode challenge) {
    JsonNode example = challenge.at("/extensions/bazaar/info/input/body");
    return "<label for=\"body\">What is sent (JSON)</label>\n"
        + "<textarea id=\"body\" rows=\"8\" spellcheck=\"false\">\n"
        + (example.isMissingNode() ? "" : PageTemplate.escaped(example.toPrettyString()))
        + "</textarea>\n";
  }

  private static String commands(String method, String url) {
    String quoted = PageTemplate.shellQuoted(url);
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
        <pre><code data-copy="Copy the command">%s</code></pre>
        </section>
        """
        .formatted(title, sentence, PageTemplate.escaped(command));
  }

  private static String reason(JsonNode body) {
    String code = body.path("code").asText();
    return code.equals(Challenges.PAYMENT_REQUIRED)
        ? ""
        : note("The payment that came was not taken: " + body.path("error").asText() + ".");
  }

  private static String note(String sentence) {
    return "<section class=\"note\"><p>" + PageTemplate.escaped(sentence) + "</p></section>\n";
  }

  private String offers(JsonNode accepts) {
    StringBuilder html = new StringBuilder();
    String separator = "";
    for (JsonNode offer : accepts) {
      String asset = offer.path("asset").asText();
      html.append(separator).append("<dl");
      attribute(html, "asset", asset);
      attribute(html, "amount", amount(offer));
      attribute(html, "token", token(offer));
      attribute(html, "chain", known(offer).path("chain").toString());
      html.append(">\n");
      line(html, "Amount", price(offer) + " (" + amount(offer) + " atomic units)", "");
      line(html, "Network", offer.path("network").asText(), "");
      line(html, "Token", asset, "Copy the token");
      line(html, "Pay to", offer.path("payTo").asText(), "Copy the address");
      html.append("</dl>\n");
      separator = "<hr>\n";
    }
    return html.toString();
  }

  private static void attribute(StringBuilder html, String name, String value) {
    html.append(" data-")
        .append(name)
        .append("=\"")
        .append(PageTemplate.escaped(value))
        .append('"');
  }

  private static void line(StringBuilder html, String name, String value, String copy) {
    html.append("<dt>").append(name).append("</dt><dd><code");
    if (!copy.isEmpty()) {
      attribute(html, "copy", copy);
    }
    html.append('>').append(PageTemplate.escaped(value)).append("</code></dd>\n");
  }

  private String price(JsonNode offer) {
    BigDecimal plain = new BigDecimal(new BigInteger(amount(offer)), DECIMALS).stripTrailingZeros();
    return plain.setScale(Math.max(2, plain.scale())).toPlainString() + " " + token(offer);
  }

  /** In atomic units, by the name that the challenge's version has for it. */
  private static String amount(JsonNode offer) {
    return offer.path("amount").asText(offer.path("maxAmountRequired").asText());
  }

  /** A token and its network, by their own names where those are known. */
  private String token(JsonNode offer) {
    JsonNode known = known(offer);
    String asset = offer.path("asset").asText();
    String symbol = known.path("symbol").asText(offer.at("/extra/name").asText(asset));
    String network = offer.path("network").asText();
    return symbol + " on " + known.at("/chain/chainName").asText(network);
  }

  private JsonNode known(JsonNode offer) {
    JsonNode token = tokens.path(offer.path("asset").asText());
    JsonNode network = offer.path("network");
    return token.path("networks").valueStream().anyMatch(network::equals)
        ? token
        : MissingNode.getInstance();
  }

  private static JsonNode read(byte[] json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
