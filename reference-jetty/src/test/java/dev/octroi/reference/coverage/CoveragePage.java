package dev.octroi.reference.coverage;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Markdown: a summary, which is a table of the areas and the cells without a test, and the whole
 * page, which has each area's cells with their tests besides.
 */
final class CoveragePage {

  private static final String HEAD =
      """
      # What the tests show

      Made by `CoverageTest` of `reference-jetty` from the tags that tests carry; write it anew with
      `mvn -pl reference-jetty -am -Dtest=CoverageTest -Dsurefire.failIfNoSpecifiedTests=false -Doctroi.write=true test`.
      A cell is one endpoint, field, error, limit, state or rule of the specification. A test that
      names a whole record compares all of its fields; a read is shown by the entry in the test
      kit's data files, whose example, schema and check the kit runs, unpaid and paid. The page of all
      cells and their tests is `reference-jetty/target/coverage.md` of each build.

      """;

  private final Map<String, List<Cell>> areas;
  private final List<Evidence> evidence;

  CoveragePage(List<Cell> cells, List<Evidence> evidence) {
    this.areas = cells.stream().collect(groupingBy(Cell::area, LinkedHashMap::new, toList()));
    this.evidence = evidence;
  }

  String whole() {
    StringBuilder page = new StringBuilder(summary());
    areas.forEach((area, cells) -> page.append(section(area, cells)));
    return page.toString();
  }

  String summary() {
    List<Cell> all = areas.values().stream().flatMap(List::stream).toList();
    StringBuilder page = new StringBuilder(HEAD);
    page.append("| Area | Cells | Shown | Without a test |\n|---|---:|---:|---:|\n");
    areas.forEach((area, cells) -> page.append(summary(area, cells)));
    page.append(summary("All", all));
    return page.append(bare(all)).toString();
  }

  private String summary(String area, List<Cell> cells) {
    long shown = cells.stream().filter(cell -> !links(cell).isEmpty()).count();
    return "| %s | %d | %d | %d |\n".formatted(area, cells.size(), shown, cells.size() - shown);
  }

  private String section(String area, List<Cell> cells) {
    StringBuilder section = new StringBuilder("\n## " + area + "\n");
    List<Cell> shown = cells.stream().filter(cell -> !links(cell).isEmpty()).toList();
    if (!shown.isEmpty()) {
      section.append("\n| Cell | Specified | Shown by |\n|---|---|---|\n");
      shown.forEach(
          cell ->
              section.append(
                  "| `%s` | %s | %s |\n".formatted(cell.id(), cell.sentence(), links(cell))));
    }
    return section.append(bare(cells)).toString();
  }

  private String bare(List<Cell> cells) {
    List<Cell> bare = cells.stream().filter(cell -> links(cell).isEmpty()).toList();
    return bare.isEmpty()
        ? ""
        : bare.stream()
            .map(cell -> "- `%s` %s\n".formatted(cell.id(), cell.sentence()))
            .collect(joining("", "\nWithout a test:\n\n", ""));
  }

  private String links(Cell cell) {
    return evidence.stream()
        .filter(each -> cell.isShownBy(each.tag()))
        .map(Evidence::link)
        .distinct()
        .sorted()
        .collect(joining(", "));
  }
}
