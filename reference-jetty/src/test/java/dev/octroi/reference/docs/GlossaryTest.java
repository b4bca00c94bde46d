package dev.octroi.reference.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The page of words: in order, each with the types that carry it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GlossaryTest {

  private static final Sources SOURCES = Sources.ofTheProject();
  private static final Pattern ROW =
      Pattern.compile("\\| \\*\\*([^*|]+)\\*\\* \\| [^|]+\\. \\| (`[A-Za-z0-9]+`(?:, )?)+ \\|");
  private static final Pattern TYPE = Pattern.compile("`([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)`");

  private final Page page;

  GlossaryTest() throws IOException {
    page = Page.named(SOURCES, "gateway-api/docs/glossary.md");
  }

  @Test
  void theWordsAreInOrderAndEachHasASentenceAndAType() {
    List<String> rows = page.lines().stream().filter(line -> line.startsWith("| **")).toList();
    assertThat(rows).hasSizeGreaterThan(40).allMatch(ROW.asMatchPredicate());
    assertThat(rows)
        .extracting(row -> row.replaceFirst("\\| \\*\\*([^*]+)\\*\\*.*", "$1"))
        .isSortedAccordingTo(String.CASE_INSENSITIVE_ORDER)
        .doesNotHaveDuplicates();
  }

  @Test
  void everyTypeThatItNamesIsThere() {
    Set<String> types = SOURCES.types();
    List<String> named =
        page.lines().stream()
            .flatMap(line -> TYPE.matcher(line).results())
            .map((MatchResult found) -> found.group(1))
            .toList();
    assertThat(named).hasSizeGreaterThan(80);
    assertThat(named).filteredOn(name -> !types.contains(name)).isEmpty();
  }
}
