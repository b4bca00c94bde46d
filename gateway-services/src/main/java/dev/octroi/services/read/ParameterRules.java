package dev.octroi.services.read;

import dev.octroi.services.Failure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks what a caller sent against a row: 400, naming the parameter, for what is missing or
 * malformed (specification, crypto-data and prediction rules). Parameters that the row does not
 * list are kept for the upstream, except names that carry credentials.
 */
public final class ParameterRules {

  /** More parameters than any row has; a longer query is a mistake or an attack. */
  static final int MAX_PARAMETERS = 64;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}(\\[\\])?");
  private static final Set<String> CREDENTIALS =
      Set.of("authorization", "x-api-key", "api-key", "api_key", "apikey", "access_token");

  private ParameterRules() {}

  /**
   * The checked arguments.
   *
   * @param path decoded path parameters by name
   * @param query decoded query parameters by name
   * @throws Failure 400 {@code invalid_params}, {@code invalid_pair} or {@code invalid_address}
   */
  public static Arguments check(
      Read row, Map<String, String> path, Map<String, List<String>> query) {
    checkNames(query);
    Map<String, String> inPath = new LinkedHashMap<>();
    Map<String, List<String>> given = new LinkedHashMap<>();
    Map<String, String> defaults = new LinkedHashMap<>();
    Set<String> listed = new LinkedHashSet<>();
    for (Parameter parameter : row.parameters()) {
      listed.add(parameter.name());
      listed.add(parameter.name() + "[]");
      if (isInPath(row, parameter)) {
        inPath.put(parameter.name(), inPath(parameter, path.get(parameter.name())));
        continue;
      }
      List<String> values = values(parameter, query);
      String refusal = parameter.refusal();
      if (refusal != null && !values.isEmpty()) {
        throw Failure.invalid(parameter.name() + " is not taken: " + refusal);
      }
      String absent = parameter.defaultValue();
      if (!values.isEmpty()) {
        given.put(parameter.name(), values);
      } else if (parameter.required()) {
        throw Failure.invalid(parameter.name() + " is required");
      } else if (absent != null) {
        defaults.put(parameter.name(), absent);
      }
    }
    Map<String, List<String>> unlisted = unlisted(query, listed);
    checkUnlisted(row, unlisted.keySet());
    return new Arguments(inPath, given, defaults, unlisted);
  }

  /**
   * What no request of the vendor could carry is refused: a caller does not pay for a parameter
   * that is left out of account.
   */
  private static void checkUnlisted(Read row, Set<String> names) {
    ReadSource source = row.source();
    for (String name : names) {
      boolean computed = source.state() == ReadSource.State.COMPOSED && source.calls() > 1;
      boolean taken =
          !computed
              && !source.first().fixed().containsKey(name)
              && row.parameters().stream()
                  .noneMatch(each -> isInPath(row, each) && each.upstreamName().equals(name));
      if (!taken) {
        throw Failure.invalid(name + " is no parameter of this read");
      }
    }
  }

  private static boolean isInPath(Read row, Parameter parameter) {
    return (row.path() + "/").contains("/:" + parameter.name() + "/");
  }

  private static void checkNames(Map<String, List<String>> query) {
    if (query.values().stream().mapToInt(List::size).sum() > MAX_PARAMETERS) {
      throw Failure.invalid("At most " + MAX_PARAMETERS + " parameters are taken");
    }
    for (String name : query.keySet()) {
      if (!NAME.matcher(name).matches()) {
        throw Failure.invalid(
            "A parameter's name is up to 64 letters, digits, dots, dashes, underscores");
      }
    }
  }

  private static String inPath(Parameter parameter, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      throw Failure.invalid(parameter.name() + " is required");
    }
    ValueRules.check(parameter, value);
    ValueRules.checkSegment(parameter.name(), value);
    return value;
  }

  private static List<String> values(Parameter parameter, Map<String, List<String>> query) {
    List<String> sent = new ArrayList<>(query.getOrDefault(parameter.name(), List.of()));
    boolean list = parameter.kind() == Parameter.Kind.LIST;
    if (list) {
      sent.addAll(query.getOrDefault(parameter.name() + "[]", List.of()));
      sent = new ArrayList<>(sent.stream().flatMap(ParameterRules::elements).toList());
    }
    sent.removeIf(String::isEmpty);
    if (!list && sent.size() > 1) {
      throw Failure.invalid(parameter.name() + " is given more than once");
    }
    sent.forEach(value -> ValueRules.check(parameter, value));
    if (list) {
      ValueRules.checkCount(parameter, sent.size());
    }
    return List.copyOf(sent);
  }

  private static Stream<String> elements(String value) {
    return Arrays.stream(value.split(",", -1)).map(String::strip);
  }

  private static Map<String, List<String>> unlisted(
      Map<String, List<String>> query, Set<String> listed) {
    Map<String, List<String>> others = new LinkedHashMap<>();
    query.forEach(
        (name, values) -> {
          if (!listed.contains(name) && !CREDENTIALS.contains(name.toLowerCase(Locale.ROOT))) {
            values.forEach(value -> ValueRules.checkText(name, value, ValueRules.MAX_LENGTH));
            others.put(name, List.copyOf(values));
          }
        });
    return others;
  }
}
