package dev.octroi.reference.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Pages, comments, and what the gateway, its commands and its console say are read without a second
 * look: no sentence is endless, and each names who acts.
 */
class ReadabilityTest {

  private static final int MOST_WORDS = 40;

  /** These hide who acts, or say nothing. */
  private static final Pattern BANNED =
      Pattern.compile(
          "\\b(nobody|whoever|simply|obviously|utilize|leverage|in order to|please note)\\b",
          Pattern.CASE_INSENSITIVE);

  private static final String TEXT = "\"[^\"\\\\\n]*+(?:\\\\.[^\"\\\\\n]*+)*+\"";

  /** A comment, or texts that are joined. */
  private static final Pattern SAID =
      Pattern.compile(
          "(?s)/[*].*?[*]/|//[^\n]*|'[^'\\\\\n]*+(?:\\\\.[^'\\\\\n]*+)*+'|`[^`]*+`|\"\"\".*?\"\"\"|"
              + TEXT
              + "(?:\\s*[+]\\s*"
              + TEXT
              + ")*+");

  private static final Pattern JOINTS = Pattern.compile("\"\\s*[+]\\s*\"|\\\\n");
  private static final Pattern LEAD = Pattern.compile("\n\\s*(?:[*]|//) ?");
  private static final Pattern TAGS = Pattern.compile("<p>|<li>|@(?:param|return|throws)");

  /** Statements are no sentences; the sandbox's wallet has its name as its address. */
  private static final Pattern NO_PROSE =
      Pattern.compile("\\b(SELECT|INSERT|UPDATE|DELETE|CREATE)\\b|octroi sandbox:");

  private static final Pattern MARKUP = Pattern.compile("\\]\\([^)]*\\)|[`*\\[\\]]");
  private static final Pattern END = Pattern.compile("(?<=[.:;!?·])\\s|\\n\\n|\\n(?=[-0-9|#])|\\|");

  /** What is new is told in one line each, of the time when it was new. */
  private static final String CHANGELOG = "CHANGELOG.md";

  @TestFactory
  Stream<DynamicTest> aPageIsPlain() throws IOException {
    return Page.all(Sources.ofTheProject()).stream()
        .filter(page -> !page.name().equals(CHANGELOG))
        .map(page -> DynamicTest.dynamicTest(page.name(), () -> check(page)));
  }

  @TestFactory
  Stream<DynamicTest> whatTheCodeSaysIsPlain() {
    Sources ours = Sources.ofTheProject();
    return Stream.concat(
            ours.files("src/main/java").stream(),
            ours.files("src/main/resources").stream()
                .filter(file -> file.toString().endsWith(".js")))
        .map(file -> DynamicTest.dynamicTest(ours.name(file), () -> check(Files.readString(file))));
  }

  private static void check(String code) {
    assertThat(
            SAID.matcher(code)
                .results()
                .map(said -> LEAD.matcher(said.group()).replaceAll("\n"))
                .map(said -> JOINTS.matcher(said).replaceAll(""))
                .filter(said -> !NO_PROSE.matcher(said).find())
                .flatMap(said -> END.splitAsStream(TAGS.matcher(said).replaceAll("\n\n"))))
        .allSatisfy(ReadabilityTest::checkSentence);
  }

  private static void check(Page page) {
    String text = MARKUP.matcher(String.join("\n", page.prose())).replaceAll("");
    assertThat(END.splitAsStream(text)).allSatisfy(ReadabilityTest::checkSentence);
  }

  private static void checkSentence(String sentence) {
    assertThat(List.of(sentence.strip().split("\\s+")))
        .as(sentence)
        .hasSizeLessThanOrEqualTo(MOST_WORDS);
    assertThat(BANNED.matcher(sentence).results().map(found -> found.group()))
        .as(sentence)
        .isEmpty();
  }
}
