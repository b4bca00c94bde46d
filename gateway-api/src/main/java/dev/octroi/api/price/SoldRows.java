package dev.octroi.api.price;

import dev.octroi.api.group.ConfiguredGroups.Selling;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.LiveGroups.Edition;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.SoldRow.Place;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.RowMatcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Everything that is sold, and which of it a request names. Immutable. */
final class SoldRows {

  private static final Pattern PARAMETER = Pattern.compile("\\{[^{}]+}");

  /** The reads of a group. */
  private record Reads(String base, RowMatcher<Read> rows) {}

  /** A row of no read whose path has parameters. */
  private record Template(SoldRow row, Pattern path) {}

  private final Selling selling;
  private final List<SoldRow> all;
  private final Map<String, SoldRow> byWord = new LinkedHashMap<>();
  private final Map<Read, SoldRow> byRead = new HashMap<>();
  private final List<Reads> reads = new ArrayList<>();
  private final List<Template> templates = new ArrayList<>();

  SoldRows(Selling selling) {
    this.selling = selling;
    this.all = selling.rows();
    for (SoldRow row : all) {
      byWord.put(row.word(), row);
      row.read().ifPresent(read -> byRead.put(read, row));
      if (row.read().isEmpty() && !isLive(row) && row.path().indexOf('{') >= 0) {
        templates.add(new Template(row, pattern(row)));
      }
    }
    all.stream()
        .filter(row -> row.read().isPresent())
        .collect(
            Collectors.groupingBy(
                SoldRow::group,
                LinkedHashMap::new,
                Collectors.mapping(row -> row.read().get(), Collectors.toList())))
        .forEach((group, rows) -> reads.add(new Reads(group.base(), new RowMatcher<>(rows))));
  }

  /** Those that come and go are found by the groups that they are of. */
  private boolean isLive(SoldRow row) {
    return live().sells(row.group());
  }

  private static Pattern pattern(SoldRow row) {
    boolean rest =
        row.described()
            .filter(described -> described.places().containsValue(Place.REST))
            .isPresent();
    return Pattern.compile(
        PARAMETER
            .splitAsStream(row.path() + "/")
            .map(Pattern::quote)
            .collect(Collectors.joining(rest ? ".*" : "[^/]+")));
  }

  /** Whether these are the rows of what is sold. */
  boolean areOf(Selling now) {
    return selling == now;
  }

  /** What comes and goes. */
  Edition live() {
    return selling.live();
  }

  /** The groups of which something is sold. */
  List<Group> groups() {
    return all.stream().map(SoldRow::group).distinct().toList();
  }

  List<SoldRow> all() {
    return all;
  }

  /** The words by which the price book names rows. */
  List<String> words() {
    return List.copyOf(byWord.keySet());
  }

  Optional<SoldRow> named(String word) {
    return Optional.ofNullable(byWord.get(word));
  }

  /** What a request for a canonical path buys; empty where nothing is sold. */
  Optional<SoldRow> of(String method, String path) {
    return named(method + path)
        .filter(row -> !isLive(row))
        .or(() -> method.equals("GET") ? read(path) : Optional.empty())
        .or(() -> template(method, path))
        .or(() -> live().row(method, path));
  }

  private Optional<SoldRow> read(String path) {
    for (Reads group : reads) {
      if (path.startsWith(group.base() + "/")) {
        return group
            .rows()
            .match(path.substring(group.base().length()))
            .map(match -> byRead.get(match.row()));
      }
    }
    return Optional.empty();
  }

  private Optional<SoldRow> template(String method, String path) {
    for (Template template : templates) {
      if (template.row().method().equals(method) && template.path().matcher(path + "/").matches()) {
        return Optional.of(template.row());
      }
    }
    return Optional.empty();
  }
}
