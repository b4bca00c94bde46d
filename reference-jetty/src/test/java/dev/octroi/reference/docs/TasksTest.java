package dev.octroi.reference.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Pages of tasks are short, begin with steps, and have commands, which {@code CommandsIT} runs. */
class TasksTest {

  private static final Sources SOURCES = Sources.ofTheProject();
  private static final String FOLDER = "gateway-api/docs/tasks/";
  private static final int MOST_WORDS = 300;
  private static final int LONGEST_SENTENCE = 32;
  private static final int LINES_OF_A_SCREEN = 24;
  private static final Pattern STEP = Pattern.compile("1\\. .*");
  private static final Pattern MARKUP = Pattern.compile("[`*|]|\\]\\([^)]*\\)|\\[");

  private static Stream<Page> tasks() throws IOException {
    return Page.all(SOURCES).stream().filter(page -> page.name().startsWith(FOLDER));
  }

  @Test
  void eachTaskOfTheListHasAPage() throws IOException {
    assertThat(tasks().map(page -> page.name().substring(FOLDER.length())))
        .containsExactlyInAnyOrder(
            "first-payment.md",
            "sell-your-api.md",
            "go-live.md",
            "key-with-a-budget.md",
            "payment-in-doubt.md",
            "refund.md",
            "restore-a-backup.md",
            "see-what-fails.md",
            "see-your-margin.md",
            "upgrade.md",
            "why-was-i-charged.md");
  }

  @Test
  void theReadmeLeadsToAFirstPaymentWithinAScreenAndToFivePages() throws IOException {
    List<String> lines = Page.named(SOURCES, "README.md").lines();
    List<String> screen = lines.subList(0, LINES_OF_A_SCREEN);
    assertThat(screen).anyMatch(line -> line.contains("octroi.jar pay"));
    List<String> documentation = lines.subList(lines.indexOf("## Documentation"), lines.size());
    assertThat(documentation.stream().filter(line -> line.matches("[0-9]\\. \\[.*"))).hasSize(5);
    assertThat(documentation).noneMatch(line -> line.startsWith("|"));
  }

  @TestFactory
  Stream<DynamicTest> aPageIsShortAndPlain() throws IOException {
    return tasks().map(page -> DynamicTest.dynamicTest(page.name(), () -> check(page)));
  }

  private static void check(Page page) {
    assertThat(page.lines().get(0)).startsWith("# ");
    assertThat(page.prose()).anyMatch(line -> STEP.matcher(line).matches());
    assertThat(page.blocks("sh")).isNotEmpty();
    String prose = MARKUP.matcher(String.join("\n", page.prose())).replaceAll("");
    assertThat(prose.split("\\s+")).hasSizeLessThanOrEqualTo(MOST_WORDS);
    for (String sentence : prose.split("[.:;!?]\\s|\\n\\n|\\n(?=[0-9]\\.|-|\\|)", -1)) {
      assertThat(List.of(sentence.strip().split("\\s+")))
          .as(sentence)
          .hasSizeLessThanOrEqualTo(LONGEST_SENTENCE);
    }
  }
}
