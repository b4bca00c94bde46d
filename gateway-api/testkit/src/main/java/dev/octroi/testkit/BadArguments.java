package dev.octroi.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.octroi.services.read.Parameter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One argument that an endpoint must refuse.
 *
 * @param name of the argument
 * @param value what is sent for it; a missing node sends nothing
 * @param code of the refusal
 */
record BadArguments(String name, JsonNode value, String code) {

  private static final String INVALID_PARAMS = "invalid_params";
  private static final String INVALID_ADDRESS = "invalid_address";

  /** The required arguments of query or body, each left out. */
  static List<BadArguments> missing(Endpoint endpoint) {
    List<String> names =
        endpoint.isRead()
            ? endpoint.parameters().stream()
                .filter(parameter -> parameter.required() && !endpoint.hasInPath(parameter))
                .map(Parameter::name)
                .toList()
            : requiredMembers(endpoint);
    JsonNode nothing = Json.MAPPER.missingNode();
    return names.stream().map(name -> new BadArguments(name, nothing, INVALID_PARAMS)).toList();
  }

  /** Each typed argument in every way in which it can be wrong. */
  static List<BadArguments> malformed(Endpoint endpoint) {
    List<BadArguments> all = new ArrayList<>();
    for (Parameter parameter : endpoint.parameters()) {
      if (parameter.refusal() != null) {
        add(all, parameter, parameter.allowed().stream().findFirst().orElse("1"), INVALID_PARAMS);
      }
      wrongKind(parameter, all);
      outOfBounds(parameter, all);
      if (!parameter.allowed().isEmpty()) {
        add(all, parameter, "octroi", INVALID_PARAMS);
      }
    }
    return all;
  }

  private static List<String> requiredMembers(Endpoint endpoint) {
    return switch (endpoint.name()) {
      case "POST_ONCHAIN_SQL" -> List.of("sql");
      case "POST_ONCHAIN_QUERY" -> List.of("question");
      case "POST_WALLET_IDENTITIES" -> List.of("addresses");
      default -> throw new AssertionError("Unknown POST " + endpoint);
    };
  }

  private static void wrongKind(Parameter parameter, List<BadArguments> all) {
    switch (parameter.kind()) {
      case INTEGER -> {
        add(all, parameter, "ten", INVALID_PARAMS);
        add(all, parameter, "1.5", INVALID_PARAMS);
      }
      case DECIMAL -> add(all, parameter, "much", INVALID_PARAMS);
      case BOOLEAN -> add(all, parameter, "maybe", INVALID_PARAMS);
      case TIME -> add(all, parameter, "2026-06-01T00:00:00Z", INVALID_PARAMS);
      case DATE -> add(all, parameter, "01.06.2026", INVALID_PARAMS);
      case PAIR -> {
        add(all, parameter, "BTCUSDT", "invalid_pair");
        add(all, parameter, "BTC/USDT", "invalid_pair");
      }
      case EVM_ADDRESS -> {
        add(all, parameter, "name.eth", INVALID_ADDRESS);
        add(all, parameter, "0x" + "a".repeat(39), INVALID_ADDRESS);
      }
      case BASE58_ADDRESS -> add(all, parameter, "0x" + "a".repeat(40), INVALID_ADDRESS);
      case TEXT, LIST -> {}
    }
  }

  private static void outOfBounds(Parameter parameter, List<BadArguments> all) {
    BigDecimal min = parameter.min();
    BigDecimal max = parameter.max();
    if (parameter.kind() == Parameter.Kind.LIST) {
      if (max != null) {
        String element = "0x" + "a".repeat(40);
        int count = max.intValueExact() + 1;
        add(all, parameter, String.join(",", Collections.nCopies(count, element)), INVALID_PARAMS);
      }
      return;
    }
    if (parameter.kind() == Parameter.Kind.TEXT) {
      if (parameter.shortest() > 1) {
        add(all, parameter, "a".repeat(parameter.shortest() - 1), INVALID_PARAMS);
      }
      if (max != null) {
        add(all, parameter, "a".repeat(parameter.longest() + 1), INVALID_PARAMS);
      }
      return;
    }
    if (min != null) {
      add(all, parameter, min.subtract(BigDecimal.ONE).toString(), INVALID_PARAMS);
    }
    if (max != null) {
      add(all, parameter, max.add(BigDecimal.ONE).toString(), INVALID_PARAMS);
    }
  }

  private static void add(List<BadArguments> all, Parameter parameter, String value, String code) {
    all.add(new BadArguments(parameter.name(), TextNode.valueOf(value), code));
  }

  /** The endpoint's example with this argument in it. */
  Call in(Endpoint endpoint, Examples examples) {
    return value.isMissingNode()
        ? examples.without(endpoint, name)
        : examples.with(endpoint, name, value);
  }
}
