package dev.octroi.reference.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the pages call by its name is there. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NamesTest {

  private static final Sources SOURCES = Sources.ofTheProject();
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern TEST = Pattern.compile("[A-Z][A-Za-z0-9]*#[a-z][A-Za-z0-9]*");
  private static final Pattern SETTING = Pattern.compile("\\bgateway\\.[a-z0-9.-]*[a-z0-9]");
  private static final Pattern COMMAND =
      Pattern.compile(
          "(octroi\\.jar|(keys|wallets|payments|prices|books|refunds|effects)) [a-z].*");
  private static final Pattern WORD = Pattern.compile("[a-z]+(-[a-z]+)*");
  private static final Pattern OPTION = Pattern.compile("--[a-z]+(-[a-z]+)*");
  private static final Pattern REFERENCE = Pattern.compile("\\| `(gateway\\.[^`]+)` \\|.*");

  private final List<Page> pages;

  NamesTest() throws IOException {
    pages = Page.all(SOURCES);
  }

  /** Pages that name a test say that it shows something. */
  @Test
  void everyTestThatAPageNamesIsThere() throws IOException {
    Map<String, String> sources = new HashMap<>();
    for (Path file :
        Stream.of("src/test/java", "src/main/java").flatMap(NamesTest::files).toList()) {
      sources.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
    }
    List<String> named = code().filter(TEST.asMatchPredicate()).distinct().toList();
    assertThat(named).hasSizeGreaterThan(50);
    assertThat(named).filteredOn(name -> !isIn(sources, name)).isEmpty();
  }

  private static boolean isIn(Map<String, String> sources, String test) {
    String[] parts = test.split("#", 2);
    return sources.getOrDefault(parts[0], "").contains(" " + parts[1] + "(");
  }

  @Test
  void everySettingThatAPageNamesIsInTheReference() throws IOException {
    Page reference = Page.named(SOURCES, "gateway-api/docs/configuration.md");
    Set<String> known = new HashSet<>();
    reference.lines().stream()
        .map(REFERENCE::matcher)
        .filter(matcher -> matcher.matches())
        .forEach(matcher -> known.add(matcher.group(1)));
    List<String> named =
        Stream.concat(code().filter(SETTING.asMatchPredicate()), settingsInBlocks())
            .distinct()
            .toList();
    assertThat(known).hasSizeGreaterThan(100);
    assertThat(named).hasSizeGreaterThan(50);
    assertThat(named)
        .filteredOn(name -> known.stream().noneMatch(setting -> isOf(setting, name)))
        .isEmpty();
  }

  /** Commands of the jar within a sentence, which no test runs: their words and options. */
  @Test
  void everyCommandOfTheJarThatAPageNamesIsThere() throws IOException {
    StringBuilder cli = new StringBuilder();
    for (Path file : files("src/main/java").toList()) {
      if (file.toString().replace('\\', '/').contains("/reference/cli/")) {
        cli.append(Files.readString(file));
      }
    }
    List<String> named = code().filter(COMMAND.asMatchPredicate()).distinct().toList();
    assertThat(named).hasSizeGreaterThan(20);
    for (String command : named) {
      assertThat(words(command)).as(command).allMatch(word -> cli.indexOf('"' + word + '"') >= 0);
    }
  }

  private static List<String> words(String command) {
    Stream<String> options = OPTION.matcher(command).results().map(MatchResult::group);
    Stream<String> names =
        Stream.of(command.replaceFirst("octroi\\.jar ", "").split(" ", -1))
            .takeWhile(word -> WORD.matcher(word).matches());
    return Stream.concat(names, options).toList();
  }

  /** A name of an area stands for its settings, and a word of the operator's own for any. */
  private static boolean isOf(String setting, String name) {
    String[] known = setting.split("[.]");
    String[] parts = name.split("[.]");
    for (int i = 0; i < Math.min(known.length, parts.length); i++) {
      if (!known[i].equals("<word>") && !known[i].equals(parts[i])) {
        return false;
      }
    }
    return parts.length <= known.length || setting.endsWith(".<word>");
  }

  private Stream<String> settingsInBlocks() {
    return Stream.of("sh", "xml", "properties")
        .flatMap(language -> pages.stream().flatMap(page -> page.blocks(language).stream()))
        .flatMap(block -> block.lines().stream())
        .flatMap(line -> SETTING.matcher(line).results())
        .map(MatchResult::group);
  }

  private Stream<String> code() {
    return pages.stream()
        .flatMap(page -> page.prose().stream())
        .flatMap(line -> CODE.matcher(line).results())
        .map(found -> found.group(1));
  }

  private static Stream<Path> files(String folder) {
    return SOURCES.files(folder).stream().filter(file -> file.toString().endsWith(".java"));
  }
}
