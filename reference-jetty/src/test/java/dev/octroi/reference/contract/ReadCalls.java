package dev.octroi.reference.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.services.read.Parameter;
import dev.octroi.services.read.Parameter.Kind;
import dev.octroi.services.read.Read;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * Every call of a group's rows: the kit's example, and from it each listed word of each parameter,
 * both of its bounds, the parameter absent and present.
 */
final class ReadCalls {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String EVM = "0xd8da6bf26964af9d7eed9e03e53415d37aa96045";

  /** Values for parameters that list no words. */
  private static final Map<String, String> PLAIN =
      Map.ofEntries(
          Map.entry("search", "bitcoin"),
          Map.entry("q", "bitcoin"),
          Map.entry("status", "open"),
          Map.entry("window", "7d"),
          Map.entry("granularity", "day"),
          Map.entry("sort", "created"),
          Map.entry("sort_by", "realized_pnl"),
          Map.entry("state", "resolved"),
          Map.entry("asset", "eth"),
          Map.entry("timeframe", "1h"),
          Map.entry("category", "crypto"),
          Map.entry("interval", "1h"),
          Map.entry("markets", "0x" + "a1".repeat(32)),
          Map.entry("exchange", "binance"),
          Map.entry("symbol", "BTC"));

  private final StrictShop shop;
  private final String base;
  private final JsonNode examples;
  private final Map<String, String> known = new HashMap<>();

  /**
   * @param table the kit's file of examples
   */
  ReadCalls(StrictShop shop, String base, String table) {
    this.shop = shop;
    this.base = base;
    try (InputStream in =
        Objects.requireNonNull(
            ReadCalls.class.getResourceAsStream("/dev/octroi/testkit/" + table))) {
      this.examples = JSON.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void makeAllOf(Read[] rows) {
    for (Read row : rows) {
      Map<String, String> example = example(row.name());
      make(row, row.name(), example);
      for (Parameter parameter : row.parameters()) {
        String name = parameter.name();
        if (row.path().contains(":" + name)) {
          continue;
        }
        boolean shown = example.containsKey(name) && parameter.kind() == Kind.TEXT;
        for (String value : shown ? parameter.allowed() : values(parameter)) {
          Map<String, String> changed = new LinkedHashMap<>(example);
          changed.put(name, value);
          make(row, row.name() + "?" + name + "=" + shortened(value), changed);
        }
        if (!parameter.required() && example.containsKey(name)) {
          Map<String, String> less = new LinkedHashMap<>(example);
          less.remove(name);
          make(row, row.name() + " without " + name, less);
        }
      }
    }
  }

  private static String shortened(String value) {
    return value.length() < 40 ? value : value.substring(0, 40) + "…";
  }

  private static List<String> values(Parameter parameter) {
    List<String> values = new ArrayList<>(parameter.allowed());
    if (parameter.min() != null && parameter.kind() != Kind.LIST) {
      values.add(parameter.min().toPlainString());
    }
    if (parameter.max() != null && parameter.kind() != Kind.LIST) {
      values.add(parameter.max().toPlainString());
    }
    if (values.isEmpty()) {
      values.add(plain(parameter));
    }
    return values;
  }

  private static String plain(Parameter parameter) {
    return switch (parameter.kind()) {
      case BOOLEAN -> "true";
      case INTEGER -> "1000";
      case DECIMAL -> "1000.5";
      case TIME -> Long.toString(Instant.now().getEpochSecond() - 3600);
      case DATE -> "2026-10-01";
      case PAIR -> "BTC-USDT";
      case EVM_ADDRESS -> EVM;
      case BASE58_ADDRESS -> "7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5";
      case LIST -> parameter.name().equals("ids") ? "1,2" : EVM + "," + EVM;
      default -> PLAIN.getOrDefault(parameter.name(), "x1");
    };
  }

  private void make(Read row, String subject, Map<String, String> arguments) {
    String path = row.path();
    StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
    for (Map.Entry<String, String> argument : arguments.entrySet()) {
      String value = URLEncoder.encode(argument.getValue(), StandardCharsets.UTF_8);
      if ((path + "/").contains("/:" + argument.getKey() + "/")) {
        path = (path + "/").replace("/:" + argument.getKey() + "/", "/" + value + "/");
        path = path.substring(0, path.length() - 1);
      } else {
        query.add(argument.getKey() + "=" + value.replace("+", "%20"));
      }
    }
    shop.get(subject, base + path + query);
  }

  /** The kit's example of a row, with what it takes from the answers of others. */
  Map<String, String> example(String name) {
    Map<String, String> arguments = new LinkedHashMap<>();
    examples
        .path(name)
        .path("example")
        .properties()
        .forEach(argument -> arguments.put(argument.getKey(), resolved(argument.getValue())));
    return arguments;
  }

  private String resolved(JsonNode value) {
    if (value.isArray()) {
      StringJoiner elements = new StringJoiner(",");
      value.forEach(element -> elements.add(resolved(element)));
      return elements.toString();
    }
    String text = value.asText();
    if (text.startsWith("@now")) {
      long hour = Instant.now().getEpochSecond() / 3600 * 3600;
      return Long.toString(hour - (text.length() > 5 ? Long.parseLong(text.substring(5)) : 0));
    }
    return text.startsWith("@") ? known.computeIfAbsent(text, this::answered) : text;
  }

  private String answered(String reference) {
    int slash = reference.indexOf('/');
    String name = reference.substring(1, slash);
    String path = name.toLowerCase(java.util.Locale.ROOT);
    Read row = row(name);
    Map<String, String> example = example(name);
    StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
    example.forEach(
        (key, value) -> query.add(key + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)));
    String found =
        shop.get("example of " + path, base + row.path() + query)
            .json()
            .at(reference.substring(slash))
            .asText();
    return found.isEmpty() ? "nothing-at-" + name : found;
  }

  private Read row(String name) {
    return base.endsWith("prediction")
        ? dev.octroi.services.prediction.PredictionRead.valueOf(name)
        : dev.octroi.services.cryptodata.CryptoDataRead.valueOf(name);
  }
}
