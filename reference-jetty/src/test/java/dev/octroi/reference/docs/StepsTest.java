package dev.octroi.reference.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of steps can be followed: what a step names is there, and no number is left out. */
class StepsTest {

  private static final Sources SOURCES = Sources.ofTheProject();
  private static final String PAGE = "gateway-api/docs/where-do-i.md";
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern STEP = Pattern.compile("(?m)^(\\d)\\. ");

  @Test
  void whatAStepNamesIsThere() throws IOException {
    Set<String> types =
        Stream.of("src/main/java", "src/test/java")
            .flatMap(folder -> SOURCES.files(folder).stream())
            .map(file -> file.getFileName().toString().replace(".java", ""))
            .collect(Collectors.toSet());
    List<String> named = code().filter(word -> word.matches("[A-Z][A-Za-z0-9]+")).toList();

    assertThat(named).hasSizeGreaterThan(25);
    assertThat(types).containsAll(named);
  }

  @Test
  void whereAStepLeadsIsThere() throws IOException {
    List<String> paths = code().filter(word -> word.matches("[a-z.-]+/[a-z./-]+")).toList();
    List<String> packages = code().filter(word -> word.matches("dev[.]octroi[.a-z]+")).toList();

    assertThat(paths).isNotEmpty();
    assertThat(paths).allSatisfy(path -> assertThat(SOURCES.root().resolve(path)).exists());
    assertThat(packages).isNotEmpty();
    assertThat(packages)
        .allSatisfy(name -> assertThat(SOURCES.files(".")).anyMatch(file -> lies(file, name)));
  }

  private static boolean lies(Path file, String name) {
    return file.toString().replace('\\', '/').contains("/" + name.replace('.', '/') + "/");
  }

  @Test
  void stepsAreNumberedInTheirOrder() throws IOException {
    String[] parts = text().split("(?m)^## ", -1);
    assertThat(parts).hasSize(6);
    for (String part : List.of(parts).subList(1, parts.length)) {
      List<Integer> numbers = new ArrayList<>();
      STEP.matcher(part).results().forEach(step -> numbers.add(Integer.parseInt(step.group(1))));
      assertThat(numbers).as(part).hasSizeGreaterThan(3);
      for (int i = 0; i < numbers.size(); i++) {
        assertThat(numbers.get(i)).as(part).isEqualTo(i + 1);
      }
    }
  }

  private static Stream<String> code() throws IOException {
    return CODE.matcher(text()).results().map((MatchResult word) -> word.group(1));
  }

  private static String text() throws IOException {
    return Files.readString(SOURCES.root().resolve(PAGE));
  }
}
