package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.octroi.payments.client.Wallet;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The alert rules and the dashboard, parsed by the parser of Prometheus's own web page, and held to
 * what the built jar exports: metrics, labels and the values of labels. That rules have the types
 * that they need is not looked at: {@code promtool check rules} says so.
 */
@Tag("slow")
class AlertRulesIT {

  private static final Path OPERATIONS = Path.of("..", "gateway-api", "docs", "operations");

  /** Prometheus's own. */
  private static final Set<String> OF_THE_SCRAPE = Set.of("job", "instance");

  private static final String UP = "up";

  private static final Pattern SAMPLE = Pattern.compile("([a-z_0-9]+)(?:\\{(.*)})? \\S+");
  private static final Pattern LABEL = Pattern.compile("([a-z_0-9]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern OF_RULE = Pattern.compile("\\$labels\\.(\\w+)");
  private static final Pattern OF_LEGEND = Pattern.compile("\\{\\{\\s*(\\w+)\\s*}}");

  @TempDir private Path folder;

  /** An expression, and the texts that name labels of what it finds. */
  private record Rule(String name, String expression, Set<String> named) {}

  /** The samples of a metric, each with its labels. */
  private record Scrape(Map<String, List<Map<String, String>>> samples) {

    static Scrape of(String text) {
      Map<String, List<Map<String, String>>> samples = new HashMap<>();
      for (String line : text.lines().toList()) {
        Matcher sample = SAMPLE.matcher(line);
        if (sample.matches()) {
          Map<String, String> labels = new HashMap<>();
          Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
          while (label.find()) {
            labels.put(label.group(1), label.group(2));
          }
          samples.computeIfAbsent(sample.group(1), name -> new ArrayList<>()).add(labels);
        }
      }
      return new Scrape(samples);
    }

    Set<String> labels(String metric) {
      Set<String> labels = new HashSet<>(OF_THE_SCRAPE);
      samples.getOrDefault(metric, List.of()).forEach(sample -> labels.addAll(sample.keySet()));
      return labels;
    }
  }

  @Test
  void everyMetricAndLabelOfRulesAndDashboardIsExported() throws Exception {
    NodeClients.install();
    List<Rule> rules = rules();
    assertThat(rules).hasSizeGreaterThan(35);
    JsonNode parsed = parsed(rules.stream().map(Rule::expression).toList());
    try (ChainShop shop = new ChainShop();
        Running gateway = shop.quickJar(folder).start()) {
      URI base = gateway.awaitReady();
      use(base, shop.payer());
      await()
          .atMost(Running.TIMEOUT)
          .untilAsserted(() -> assertThat(wrong(rules, parsed, scraped(base))).isEmpty());
    }
  }

  /** The parser finds what is wrong, or this test could not fail. */
  @Test
  void aRuleThatIsNoneAndALabelThatIsNotThereAreFound() throws Exception {
    NodeClients.install();
    List<Rule> rules =
        List.of(
            new Rule("broken", "sum by (", Set.of()),
            new Rule("misspelt", "sum by (grup) (octroi_calls_total{stat=\"5xx\"})", Set.of("x")),
            new Rule("value", "octroi_calls_total{status=\"6xx\"}", Set.of()),
            new Rule("missing", "octroi_nothing > 1", Set.of()),
            new Rule("good", "sum by (status) (octroi_calls_total)", Set.of("status")));
    JsonNode parsed = parsed(rules.stream().map(Rule::expression).toList());
    Set<String> wrong =
        wrong(rules, parsed, Scrape.of("octroi_calls_total{group=\"a\",status=\"5xx\"} 1.0"));
    for (String name : List.of("broken", "misspelt", "value", "missing")) {
      assertThat(wrong).as(name).anyMatch(one -> one.startsWith(name + ":"));
    }
    assertThat(wrong).noneMatch(one -> one.startsWith("good:"));
    assertThat(wrong).filteredOn(one -> one.startsWith("misspelt:")).hasSize(3);
  }

  /** So that every series is there: sales, one of them out of the cache, and a failure. */
  private static void use(URI base, Wallet payer) throws Exception {
    String cached = "/v1/marketplace/prediction/venue-a/events";
    for (int call = 0; call < 2; call++) {
      assertThat(Offer.ask(base, cached, null).accept(payer).send(base).statusCode())
          .isEqualTo(200);
    }
    String failing = "{\"sql\":\"SELECT 1 -- octroi-fail-500\"}";
    Offer failed = Offer.ask(base, "/v1/marketplace/cryptodata/onchain/sql", failing);
    assertThat(failed.accept(payer).send(base).statusCode()).isEqualTo(502);
  }

  private static Scrape scraped(URI base) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(base.resolve("/metrics")).build();
    return Scrape.of(Offer.HTTP.send(request, BodyHandlers.ofString()).body());
  }

  private static Set<String> wrong(List<Rule> rules, JsonNode parsed, Scrape scrape) {
    Set<String> wrong = new TreeSet<>();
    for (int place = 0; place < rules.size(); place++) {
      Rule rule = rules.get(place);
      JsonNode one = parsed.get(place);
      one.path("errors").forEach(error -> wrong.add(rule.name() + ": no PromQL " + error.asText()));
      Set<String> all = new HashSet<>(OF_THE_SCRAPE);
      for (JsonNode selector : one.path("selectors")) {
        String metric = selector.path("metric").asText();
        if (!metric.equals(UP)) {
          check(selector, scrape).forEach(what -> wrong.add(rule.name() + ": " + what));
        }
        all.addAll(scrape.labels(metric));
      }
      Set<String> grouping = new TreeSet<>();
      one.path("grouping").forEach(label -> grouping.add(label.asText()));
      grouping.stream()
          .filter(label -> !all.contains(label))
          .forEach(label -> wrong.add(rule.name() + ": no metric has the label " + label));
      Set<String> left = one.path("aggregates").asBoolean() ? grouping : all;
      rule.named().stream()
          .filter(label -> !left.contains(label))
          .forEach(label -> wrong.add(rule.name() + ": what it finds has no label " + label));
    }
    return wrong;
  }

  private static List<String> check(JsonNode selector, Scrape scrape) {
    String metric = selector.path("metric").asText();
    List<Map<String, String>> samples = scrape.samples().getOrDefault(metric, List.of());
    if (samples.isEmpty()) {
      return List.of("there is no metric " + metric);
    }
    List<String> wrong = new ArrayList<>();
    for (JsonNode matcher : selector.path("matchers")) {
      String label = matcher.path("label").asText();
      String value = matcher.path("value").asText();
      if (OF_THE_SCRAPE.contains(label)) {
        continue;
      }
      if (!scrape.labels(metric).contains(label)) {
        wrong.add(metric + " has no label " + label);
      } else if (matcher.path("operator").asText().equals("=")
          && samples.stream().noneMatch(sample -> value.equals(sample.get(label)))) {
        wrong.add(metric + " has no " + label + "=" + value);
      }
    }
    return wrong;
  }

  private JsonNode parsed(List<String> expressions) throws Exception {
    Path file = folder.resolve("expressions.json");
    new ObjectMapper().writeValue(file.toFile(), expressions);
    return NodeClients.run(Map.of(), List.of("promql.mjs", file.toString()));
  }

  private static List<Rule> rules() throws Exception {
    List<Rule> rules = new ArrayList<>();
    JsonNode alerts = new YAMLMapper().readTree(OPERATIONS.resolve("alerts.yml").toFile());
    for (JsonNode rule : alerts.at("/groups/0/rules")) {
      rules.add(
          new Rule(
              rule.path("alert").asText(),
              rule.path("expr").asText(),
              found(OF_RULE, rule.path("annotations").toString())));
    }
    String dashboard = Files.readString(OPERATIONS.resolve("dashboard.json"));
    for (JsonNode panel : new ObjectMapper().readTree(dashboard).path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        rules.add(
            new Rule(
                panel.path("title").asText(),
                target.path("expr").asText().replace("$__rate_interval", "5m"),
                found(OF_LEGEND, target.path("legendFormat").asText())));
      }
    }
    return rules;
  }

  private static Set<String> found(Pattern pattern, String text) {
    Set<String> found = new TreeSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }
}
