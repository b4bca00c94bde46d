package dev.octroi.sandbox.formula;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The functions of lists and objects, as {@code docs/world.md} lists them. */
final class ListFunctions {

  private ListFunctions() {}

  static @Nullable Builtin of(String name) {
    return switch (name) {
      case "range" -> in -> Functions.numbers(in.place(0), place -> place);
      case "where" -> in -> fitting(in).toList();
      case "find" -> in -> fitting(in).findFirst().orElse(null);
      case "count" -> in -> fitting(in).count();
      case "any" -> in -> fitting(in).findFirst().isPresent();
      case "map" -> in -> in.aboutEach(in.list(0), 1);
      case "flat" -> ListFunctions::flat;
      case "sort" -> in -> sorted(in, false, 1);
      case "falling" -> in -> sorted(in, true, 1);
      case "ordered" -> in -> sorted(in, !"asc".equals(in.value(1)), 2);
      case "reverse" -> ListFunctions::reversed;
      case "distinct" -> ListFunctions::distinct;
      case "group" -> ListFunctions::grouped;
      case "ranked" -> ListFunctions::ranked;
      case "first" -> in -> in.list(0).isEmpty() ? null : in.list(0).get(0);
      case "last" -> in -> in.list(0).isEmpty() ? null : in.list(0).get(in.list(0).size() - 1);
      case "element" -> in -> in.list(0).get(in.place(1));
      case "take" -> in -> in.list(0).subList(0, border(in));
      case "skip" -> in -> in.list(0).subList(border(in), in.list(0).size());
      case "size" -> in -> (long) in.list(0).size();
      case "sum" -> in -> Arrays.stream(figures(in)).sum();
      case "mean" -> in -> mean(figures(in));
      case "deviation" -> in -> Math.sqrt(spread(figures(in)));
      case "correlation" -> in -> correlation(figures(in.list(0)), figures(in.list(1)));
      case "max" -> in -> extreme(in, 1);
      case "min" -> in -> extreme(in, -1);
      case "member" -> in -> in.row(0).get(in.text(1));
      case "names" -> in -> List.copyOf(in.row(0).keySet());
      case "members" -> ListFunctions::members;
      case "only" -> ListFunctions::only;
      case "only_given" -> ListFunctions::onlyGiven;
      case "without" -> ListFunctions::without;
      default -> null;
    };
  }

  private static Stream<?> fitting(Arguments in) {
    return in.list(0).stream().filter(item -> Values.truth(in.about(item, 1)));
  }

  private static List<?> flat(Arguments in) {
    List<Object> joined = new ArrayList<>();
    for (Object item : in.list(0)) {
      joined.addAll(Values.list(in.about(item, 1)));
    }
    return joined;
  }

  /** By keys, each of which is worked out once; the first falls if that is asked for. */
  private static List<?> sorted(Arguments in, boolean falling, int from) {
    record Keyed(@Nullable Object item, List<?> keys) {}
    List<Keyed> keyed = new ArrayList<>();
    for (Object item : in.list(0)) {
      List<@Nullable Object> keys = new ArrayList<>();
      for (int at = from; at < in.count(); at++) {
        keys.add(in.about(item, at));
      }
      keyed.add(new Keyed(item, keys));
    }
    Comparator<Keyed> order = (one, other) -> Values.compare(one.keys.get(0), other.keys.get(0));
    order = falling ? order.reversed() : order;
    for (int at = 1; at < in.count() - from; at++) {
      int tie = at;
      order =
          order.thenComparing(
              (one, other) -> Values.compare(one.keys.get(tie), other.keys.get(tie)));
    }
    keyed.sort(order);
    List<@Nullable Object> sorted = new ArrayList<>();
    keyed.forEach(each -> sorted.add(each.item));
    return sorted;
  }

  private static List<?> reversed(Arguments in) {
    List<Object> turned = new ArrayList<>(in.list(0));
    Collections.reverse(turned);
    return turned;
  }

  private static Map<@Nullable Object, List<Object>> groups(Arguments in) {
    Map<@Nullable Object, List<Object>> groups = new LinkedHashMap<>();
    for (Object item : in.list(0)) {
      Object key = in.count() > 1 ? in.about(item, 1) : item;
      groups.computeIfAbsent(key, any -> new ArrayList<>()).add(item);
    }
    return groups;
  }

  private static List<?> distinct(Arguments in) {
    return groups(in).values().stream().map(items -> items.get(0)).toList();
  }

  /** One object for each value of a key, with the items that have it. */
  private static List<Row> grouped(Arguments in) {
    List<Row> rows = new ArrayList<>();
    groups(in).forEach((key, items) -> rows.add(Row.of("key", key, "rows", items)));
    return rows;
  }

  private static List<Row> ranked(Arguments in) {
    List<Row> ranked = new ArrayList<>();
    for (Object item : in.list(0)) {
      Row row = Row.of("rank", (long) ranked.size() + 1);
      row.putAll((Row) item);
      ranked.add(row);
    }
    return ranked;
  }

  private static int border(Arguments in) {
    return (int) Math.max(0, Math.min(in.list(0).size(), in.whole(1)));
  }

  private static double[] figures(Arguments in) {
    return figures(in.count() > 1 ? in.aboutEach(in.list(0), 1) : in.list(0));
  }

  private static double[] figures(List<?> numbers) {
    return numbers.stream().mapToDouble(Values::number).toArray();
  }

  private static double mean(double[] figures) {
    return Arrays.stream(figures).average().orElse(0);
  }

  private static double spread(double[] figures) {
    double mean = mean(figures);
    return Arrays.stream(figures).map(each -> (each - mean) * (each - mean)).average().orElse(0);
  }

  private static double correlation(double[] one, double[] other) {
    double[] sums = new double[one.length];
    Arrays.setAll(sums, at -> one[at] + other[at]);
    double both = Math.sqrt(spread(one) * spread(other));
    return both == 0 ? 0 : (spread(sums) - spread(one) - spread(other)) / (2 * both);
  }

  /** Of a list, or of two values; null where there is nothing. */
  private static @Nullable Object extreme(Arguments in, int sign) {
    List<?> all =
        in.value(0) instanceof List<?> list
            ? in.count() > 1 ? in.aboutEach(list, 1) : list
            : Arrays.asList(in.value(0), in.value(1));
    return all.stream()
        .filter(Objects::nonNull)
        .max((one, other) -> sign * Values.compare(one, other))
        .orElse(null);
  }

  private static Row members(Arguments in) {
    Row row = new Row();
    for (Object name : in.list(0)) {
      row.put(Values.text(name), in.about(name, 1));
    }
    return row;
  }

  /** The members of an object, those that are not named as null. */
  private static Row only(Arguments in) {
    List<String> names = in.words(1);
    Row row = new Row();
    in.row(0).forEach((name, value) -> row.put(name, names.contains(name) ? value : null));
    return row;
  }

  private static Row onlyGiven(Arguments in) {
    Row row = in.row(0);
    row.values().removeIf(Objects::isNull);
    return row;
  }

  private static Row without(Arguments in) {
    Row row = new Row();
    row.putAll(in.row(0));
    in.words(1).forEach(row::remove);
    return row;
  }
}
