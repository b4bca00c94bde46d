package dev.octroi.api.discovery;

import static java.util.Map.entry;

import dev.octroi.api.discovery.DiscoveryResource.DiscoveryServices;
import dev.octroi.api.discovery.Storefront.PricedOperation;
import dev.octroi.api.group.Group;
import dev.octroi.payments.Usd;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Writes for people what is sold at this moment, how it is paid, and how to try it. Thread-safe.
 */
public final class HomePage {

  private static final String WORTHLESS =
      "This is a sandbox: its money is worthless and its data is made up.";

  private final PageTemplate template = PageTemplate.of("home.html");
  private final DiscoveryServices discovery;
  private final boolean documented;

  /**
   * @param documented whether the documentation page is served
   */
  public HomePage(DiscoveryServices discovery, boolean documented) {
    this.discovery = discovery;
    this.documented = documented;
  }

  /** The content security policy that the page is sent with. */
  public String policy() {
    return template.policy();
  }

  /**
   * The page.
   *
   * @param base the address of the application, without a slash at its end
   */
  public byte[] of(String base) {
    List<PricedOperation> sold = discovery.storefront().listings();
    Map<Group, List<PricedOperation>> groups = Storefront.byGroup(sold);
    Optional<String> sample =
        sold.stream().filter(HomePage::isPlain).findFirst().map(one -> one.address(base));
    String count = sold.size() == 1 ? "1 operation" : sold.size() + " operations";
    return template.filled(
        Map.ofEntries(
            entry("service", PageTemplate.escaped(discovery.settings().serviceName())),
            entry(
                "notes",
                discovery.sandbox()
                    ? "<section class=\"note\"><p>" + WORTHLESS + "</p></section>\n"
                    : ""),
            entry(
                "count",
                sold.isEmpty()
                    ? "Nothing at this moment."
                    : count + ", priced by the call in US dollars."),
            entry(
                "groups",
                groups.entrySet().stream()
                    .map(group -> group(group.getKey(), group.getValue()))
                    .collect(Collectors.joining())),
            entry(
                "keyed",
                PageTemplate.escaped(
                    "curl -H 'Authorization: Bearer sk-…' "
                        + PageTemplate.shellQuoted(sample.orElse(base + "/…")))),
            entry("agents", discovery.tools() ? agents(base) : ""),
            entry("try", sample.map(this::trial).orElse("")),
            entry("links", links(base))));
  }

  /** Whether its address alone is a call. */
  private static boolean isPlain(PricedOperation listing) {
    return listing.operation().row().method().equals("GET")
        && listing.operation().pathParameters().isEmpty()
        && listing.operation().input().path("required").isEmpty();
  }

  private static String group(Group group, List<PricedOperation> sold) {
    Usd least =
        sold.stream().map(PricedOperation::price).min(Comparator.naturalOrder()).orElseThrow();
    Usd most =
        sold.stream().map(PricedOperation::price).max(Comparator.naturalOrder()).orElseThrow();
    boolean fixed = sold.stream().allMatch(PricedOperation::isFixed);
    String range = least.equals(most) ? plain(least) : plain(least) + " to " + plain(most);
    return """
        <li>
        <h3>%s</h3>
        <p>%s</p>
        <p><strong>%s USD</strong> %s · %s · <code>%s</code></p>
        </li>
        """
        .formatted(
            PageTemplate.escaped(group.title()),
            code(group.profile().about()),
            range,
            fixed ? "a call" : "for the example; the request decides",
            sold.size() == 1 ? "1 operation" : sold.size() + " operations",
            PageTemplate.escaped(group.base()));
  }

  /** Without zeros that say nothing, but with cents. */
  private static String plain(Usd price) {
    BigDecimal dollars = new BigDecimal(price.dollars()).stripTrailingZeros();
    return dollars.setScale(Math.max(2, dollars.scale())).toPlainString();
  }

  /** A sentence of Markdown, of which only code is more than text. */
  private static String code(String markdown) {
    return PageTemplate.escaped(markdown).replaceAll("`([^`]*)`", "<code>$1</code>");
  }

  private static String agents(String base) {
    return """
        <h3>As an agent</h3>
        <p>Connect to this address by the Model Context Protocol; the tools find, describe and call are there.</p>
        <pre tabindex="0"><code>%s</code></pre>
        """
        .formatted(PageTemplate.escaped(base + "/mcp"));
  }

  private String trial(String address) {
    return """
        <section>
        <h2>Try it</h2>
        <p><a href="%s">Open a call in this browser</a>, or pay for it from the command line:</p>
        <pre tabindex="0"><code>%s</code></pre>
        </section>
        """
        .formatted(
            PageTemplate.escaped(address),
            PageTemplate.escaped("java -jar octroi.jar pay " + PageTemplate.shellQuoted(address)));
  }

  private String links(String base) {
    StringBuilder links = new StringBuilder();
    if (documented) {
      link(links, base + "/docs", "Documentation: try any call");
      link(links, base + "/docs/guide", "Guide: step by step");
      link(links, base + "/openapi.json", "OpenAPI");
    }
    if (discovery.settings().enabled()) {
      link(links, base + "/llms.txt", "Everything that is sold");
    }
    return links.toString();
  }

  private static void link(StringBuilder links, String address, String text) {
    links.append("<a href=\"%s\">%s</a>\n".formatted(PageTemplate.escaped(address), text));
  }
}
