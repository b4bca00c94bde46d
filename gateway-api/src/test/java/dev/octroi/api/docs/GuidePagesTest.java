package dev.octroi.api.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each page of the guide is there, leads to pages that are, and brings no markup of its own. */
class GuidePagesTest {

  private final GuidePages guide = new GuidePages();

  private static Stream<String> words() {
    return Stream.concat(GuidePages.TASKS.stream(), GuidePages.REFERENCE.stream());
  }

  private String page(String word) {
    return new String(guide.page(word).orElseThrow(), StandardCharsets.UTF_8);
  }

  @Test
  void theFirstPageLeadsToAllOthers() {
    assertThat(words()).allSatisfy(word -> assertThat(page("")).contains("href=\"guide/" + word));
  }

  @ParameterizedTest
  @MethodSource("words")
  void aPageIsWholeAndItsLinksLeadSomewhere(String word) {
    String page = page(word);
    assertThat(page).contains("<h1 id=").doesNotContain("<script", "{{", "href=\"../../");
    Stream.of(page.split("href=\"", -1))
        .skip(1)
        .map(part -> part.substring(0, part.indexOf('"')))
        .filter(to -> !to.startsWith("https://") && !to.equals("../guide"))
        .forEach(
            to -> {
              String[] parts = to.split("#", 2);
              String other = parts[0].isEmpty() ? page : page(parts[0]);
              if (parts.length > 1) {
                assertThat(other).as(to).contains("id=\"" + parts[1] + "\"");
              }
            });
  }

  @Test
  void everyPageOfTheProjectThatIsServedIsListed() throws IOException {
    assertThat(GuidePages.TASKS).hasSameElementsAs(packed("tasks"));
    assertThat(GuidePages.REFERENCE).hasSameElementsAs(packed("."));
  }

  /** The pages in a folder that the build puts beside the class. */
  private static List<String> packed(String folder) throws IOException {
    Path pages = Path.of("target/classes/dev/octroi/api/docs/guide", folder);
    try (Stream<Path> files = Files.list(pages)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".md"))
          .map(name -> name.replace(".md", ""))
          .toList();
    }
  }

  @Test
  void whatIsNoPageIsNotThere() {
    assertThat(guide.page("coverage")).isEmpty();
    assertThat(guide.page("../routes")).isEmpty();
  }
}
