package dev.octroi.services.read;

import dev.octroi.services.upstream.VenueWords;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a vendor's public contract takes, read from a file beside this class, which says how it is
 * written. Stricter than the vendor: what the contract does not know is a fault.
 */
public final class VendorContract {

  private static final Pattern PARAMETER = Pattern.compile("(path/)?(\\w+)(!)?(?::(\\S+))?");
  private static final Pattern GROUP = Pattern.compile("(one-of|some-of|together)\\((\\S+)\\)");
  private static final Pattern BOUNDED =
      Pattern.compile("(.*?)(?:\\((-?[\\d.]*?)\\.\\.(-?[\\d.]*)\\))?");
  private static final Map<String, Pattern> FORMS =
      Map.of(
          "int", Pattern.compile("-?\\d{1,18}"),
          "num", Pattern.compile("-?\\d{1,18}(\\.\\d{1,18})?"),
          "bool", Pattern.compile("true|false"),
          "date", Pattern.compile("\\d{4}-\\d{2}-\\d{2}"),
          "time", Pattern.compile("\\d{1,11}|\\d{4}-\\d{2}-\\d{2}.*"),
          "pair", Pattern.compile("[A-Z0-9]{1,20}/[A-Z0-9]{1,20}(:[A-Z0-9]{1,20})?"),
          "hex", Pattern.compile("0x[0-9a-fA-F]+"),
          "evm", Pattern.compile("0x[0-9a-fA-F]{40}"),
          "handle", Pattern.compile("[^@\\s]+"),
          "text", Pattern.compile("(?s).+"));

  private record Rule(boolean required, String form) {}

  private record Group(String kind, Set<String> names) {}

  private record Operation(
      List<String> path,
      String source,
      Map<String, Rule> inPath,
      Map<String, Rule> query,
      List<Group> groups) {

    /** The values of its variables, in braces; empty for another path. */
    Optional<Map<String, String>> match(String asked) {
      List<String> segments = List.of(asked.split("/", -1));
      Map<String, String> values = new LinkedHashMap<>();
      if (segments.size() != path.size()) {
        return Optional.empty();
      }
      for (int at = 0; at < path.size(); at++) {
        if (path.get(at).startsWith("{")) {
          values.put(path.get(at), segments.get(at));
        } else if (!path.get(at).equals(segments.get(at))) {
          return Optional.empty();
        }
      }
      return Optional.of(values);
    }

    long variables() {
      return path.stream().filter(segment -> segment.startsWith("{")).count();
    }
  }

  private final Map<String, String> sources = new LinkedHashMap<>();
  private final List<Operation> operations = new ArrayList<>();

  private VendorContract() {}

  /** The contract of a file, with the vendor's own names of the venues. */
  public static VendorContract of(String file, VenueWords words) {
    try (InputStream in = VendorContract.class.getResourceAsStream(file)) {
      VendorContract contract = new VendorContract();
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .forEach(line -> contract.add(words.in(line)));
      return contract;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(String line) {
    if (line.startsWith("source ")) {
      String[] source = line.substring("source ".length()).split(": ", 2);
      sources.put(source[0], source[1]);
    } else {
      operations.add(read(line, List.copyOf(sources.keySet()).get(sources.size() - 1)));
    }
  }

  private static Operation read(String line, String source) {
    String[] parts = line.split(" ");
    Map<String, Rule> inPath = new LinkedHashMap<>();
    Map<String, Rule> query = new LinkedHashMap<>();
    List<Group> groups = new ArrayList<>();
    for (String part : Arrays.asList(parts).subList(1, parts.length)) {
      Matcher group = GROUP.matcher(part);
      Matcher parameter = PARAMETER.matcher(part);
      if (group.matches()) {
        groups.add(new Group(group.group(1), Set.of(group.group(2).split(","))));
      } else if (parameter.matches()) {
        String form = parameter.group(4) == null ? "text" : parameter.group(4);
        (parameter.group(1) == null ? query : inPath)
            .put(parameter.group(2), new Rule(parameter.group(3) != null, form));
      } else {
        throw new IllegalArgumentException(part);
      }
    }
    return new Operation(List.of(parts[0].split("/", -1)), source, inPath, query, groups);
  }

  /** What it was taken from: a word and its description. */
  public Map<String, String> sources() {
    return sources;
  }

  /** The source of a path, as a word. */
  public String source(String path) {
    return closest(path).orElseThrow().source();
  }

  /** Whether it has the path, with values or with names in braces for its variables. */
  public boolean knows(String path) {
    return closest(path).isPresent();
  }

  /** The closest operation: a path that is written out goes before a variable. */
  private Optional<Operation> closest(String path) {
    return operations.stream()
        .filter(known -> known.match(path).isPresent())
        .min(Comparator.comparingLong(Operation::variables));
  }

  /** What is wrong with a request; empty for a good one. */
  public Optional<String> fault(String path, Map<String, List<String>> query) {
    Optional<Operation> found = closest(path);
    if (found.isEmpty()) {
      return Optional.of("there is no " + path);
    }
    Operation operation = found.get();
    for (Map.Entry<String, List<String>> given : query.entrySet()) {
      Rule rule = operation.query().get(given.getKey());
      if (rule == null) {
        return Optional.of(given.getKey() + " is unknown");
      }
      if (!fits(rule.form(), given.getValue())) {
        return Optional.of(given.getKey() + "=" + given.getValue() + " is no " + rule.form());
      }
    }
    Map<String, String> variables = operation.match(path).orElse(Map.of());
    for (Map.Entry<String, Rule> inPath : operation.inPath().entrySet()) {
      String value = variables.getOrDefault("{" + inPath.getKey() + "}", "");
      if (!fits(inPath.getValue().form(), value)) {
        return Optional.of(inPath.getKey() + "=" + value + " is no " + inPath.getValue().form());
      }
    }
    Set<String> missing =
        operation.query().entrySet().stream()
            .filter(known -> known.getValue().required() && !query.containsKey(known.getKey()))
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    if (!missing.isEmpty()) {
      return Optional.of(missing + " is missing");
    }
    return operation.groups().stream()
        .filter(group -> !holds(group, query.keySet()))
        .map(group -> group.kind() + " " + group.names())
        .findFirst();
  }

  private static boolean holds(Group group, Set<String> given) {
    long count = group.names().stream().filter(given::contains).count();
    return switch (group.kind()) {
      case "one-of" -> count == 1;
      case "some-of" -> count >= 1;
      default -> count == 0 || count == group.names().size();
    };
  }

  private static boolean fits(String form, List<String> values) {
    if (form.startsWith("[")) {
      int end = form.lastIndexOf(']');
      return within(form.substring(end + 1), values.size())
          && values.stream().allMatch(value -> fits(form.substring(1, end), List.of(value)));
    }
    if (values.size() != 1) {
      return false;
    }
    return form.startsWith("csv[")
        ? fits(form.substring(3), List.of(values.get(0).split(",", -1)))
        : fits(form, values.get(0));
  }

  private static boolean fits(String form, String value) {
    if (form.startsWith("{")) {
      return List.of(form.substring(1, form.length() - 1).split(",")).contains(value);
    }
    Matcher bounded = BOUNDED.matcher(form);
    if (!bounded.matches() || !FORMS.get(bounded.group(1)).matcher(value).matches()) {
      return false;
    }
    boolean number = bounded.group(1).equals("int") || bounded.group(1).equals("num");
    String bounds = form.substring(bounded.group(1).length());
    return number
        ? within(bounds, new BigDecimal(value))
        : within(bounds, value.codePointCount(0, value.length()));
  }

  private static boolean within(String bounds, long size) {
    return within(bounds, BigDecimal.valueOf(size));
  }

  private static boolean within(String bounds, BigDecimal number) {
    Matcher matcher = BOUNDED.matcher(bounds);
    if (!matcher.matches() || matcher.group(2) == null) {
      return true;
    }
    String least = matcher.group(2);
    String most = matcher.group(3);
    return (least.isEmpty() || number.compareTo(new BigDecimal(least)) >= 0)
        && (most.isEmpty() || number.compareTo(new BigDecimal(most)) <= 0);
  }
}
