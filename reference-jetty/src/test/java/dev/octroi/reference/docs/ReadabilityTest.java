package dev.octroi.reference.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The pages are read without a second look: no sentence is endless, and each names who acts. */
class ReadabilityTest {

  private static final int MOST_WORDS = 40;

  /** These hide who acts, or say nothing. */
  private static final Pattern BANNED =
      Pattern.compile(
          "\\b(nobody|whoever|simply|obviously|utilize|leverage|in order to|please note)\\b",
          Pattern.CASE_INSENSITIVE);

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
