package dev.octroi.reference.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the pages lead to. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LinksTest {

  private static final Sources SOURCES = Sources.ofTheProject();
  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern RULES =
      Pattern.compile("(?i)money rules? \\d+(?:(?:,| and| to)[\\s*]+\\d+)*");
  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");

  private final Map<Path, Page> pages;

  LinksTest() throws IOException {
    pages = Page.all(SOURCES).stream().collect(Collectors.toMap(Page::file, Function.identity()));
  }

  /**
   * A link within the project.
   *
   * @param anchor of a heading; empty for none
   */
  private record Link(Page from, String text, Path target, String anchor) {

    @Override
    public String toString() {
      return from.name() + " -> " + text;
    }
  }

  @Test
  void everyLinkLeadsSomewhere() {
    assertThat(links()).hasSizeGreaterThan(100);
    assertThat(links()).filteredOn(link -> !Files.exists(link.target())).isEmpty();
  }

  @Test
  void everyAnchorIsAHeading() {
    List<Link> anchored = links().stream().filter(link -> !link.anchor().isEmpty()).toList();
    assertThat(anchored).hasSizeGreaterThan(10);
    assertThat(anchored)
        .filteredOn(link -> !anchors(pages.get(link.target())).contains(link.anchor()))
        .isEmpty();
  }

  /** Comments and pages cite the rules of money by their numbers. */
  @Test
  void everyRuleOfMoneyThatIsCitedStandsOnItsPage() throws IOException {
    Set<String> stated =
        anchors(pages.get(SOURCES.root().resolve("gateway-payments/docs/money.md")));
    Map<String, List<String>> cited = new TreeMap<>();
    for (String ending : List.of(".java", ".sql", ".md")) {
      for (Path file : SOURCES.ending(ending)) {
        RULES
            .matcher(Files.readString(file))
            .results()
            .flatMap(rules -> NUMBER.matcher(rules.group()).results())
            .forEach(
                number ->
                    cited
                        .computeIfAbsent("rule-" + number.group(), none -> new ArrayList<>())
                        .add(SOURCES.name(file)));
      }
    }
    assertThat(cited.values().stream().mapToInt(List::size).sum()).isGreaterThan(80);
    cited.keySet().removeAll(stated);
    assertThat(cited).isEmpty();
  }

  @Test
  void everyPageIsFoundFromTheFrontDoor() {
    Set<Path> found = new HashSet<>();
    Deque<Path> left = new ArrayDeque<>(List.of(SOURCES.root().resolve("README.md")));
    while (!left.isEmpty()) {
      Path page = left.pop();
      if (found.add(page) && pages.containsKey(page)) {
        links(pages.get(page)).forEach(link -> left.addAll(pagesAt(link.target())));
      }
    }
    assertThat(pages.keySet()).filteredOn(page -> !found.contains(page)).isEmpty();
  }

  /** As GitHub makes them of headings. */
  @ParameterizedTest
  @CsvSource({
    "'Tomcat 10.1 and 11', tomcat-101-and-11",
    "'`pay` and its codes', pay-and-its-codes",
    "'What you see, what it means, what to do', what-you-see-what-it-means-what-to-do",
    "'Two  blanks - and a dash', two--blanks---and-a-dash"
  })
  void aHeadingHasItsAnchor(String heading, String anchor) {
    assertThat(anchor(heading)).isEqualTo(anchor);
  }

  private List<Path> pagesAt(Path target) {
    return Files.isDirectory(target)
        ? pages.keySet().stream().filter(page -> target.equals(page.getParent())).toList()
        : List.of(target);
  }

  private List<Link> links() {
    return pages.values().stream().flatMap(page -> links(page).stream()).toList();
  }

  private static List<Link> links(Page page) {
    List<Link> links = new ArrayList<>();
    for (String line : page.prose()) {
      Matcher matcher = LINK.matcher(CODE.matcher(line).replaceAll("code"));
      while (matcher.find()) {
        String text = matcher.group(1);
        if (!ELSEWHERE.matcher(text).matches()) {
          links.add(link(page, text));
        }
      }
    }
    return links;
  }

  private static Link link(Page page, String text) {
    String[] parts = text.split("#", 2);
    Path target =
        parts[0].isEmpty() ? page.file() : page.file().resolveSibling(parts[0]).normalize();
    return new Link(page, text, target, parts.length == 2 ? parts[1] : "");
  }

  private static Set<String> anchors(Page page) {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> times = new HashMap<>();
    for (String line : page.prose()) {
      if (line.matches("#{1,6} .*")) {
        String anchor = anchor(line.replaceFirst("#+ ", ""));
        int before = times.merge(anchor, 1, Integer::sum) - 1;
        anchors.add(before == 0 ? anchor : anchor + "-" + before);
      }
    }
    return anchors;
  }

  private static String anchor(String heading) {
    return heading
        .strip()
        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .replace(' ', '-');
  }
}
