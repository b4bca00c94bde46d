package dev.octroi.services.language.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import dev.octroi.services.language.catalogue.Model.Tokenizer;
import dev.octroi.services.language.tokens.TokenCounter.CountedPrompt;
import dev.octroi.services.language.tokens.TokenCounter.Picture;
import dev.octroi.services.language.tokens.TokenCounter.TokenCount;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenCounterTest {

  private static final Encoding O200K =
      Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);

  private final TokenCounter counter = new TokenCounter();

  @ParameterizedTest
  @CsvSource({
    "O200K, hello world, 2",
    "CL100K, hello world, 2",
    "CL100K, antidisestablishmentarianism, 6",
    "BYTES, hello world, 11",
    "BYTES, Füße, 6"
  })
  @Tag("spec:language.tokens")
  void aTextIsCountedByItsFamilysVocabularyOrByItsBytes(
      Tokenizer tokenizer, String text, long tokens) {
    assertThat(counter.count(tokenizer, text).atMost()).isEqualTo(tokens);
  }

  @Property(tries = 300)
  void aCountIsNeverBelowWhatTheVocabularySays(@ForAll("texts") String text) {
    long tokens = O200K.countTokensOrdinary(text);
    TokenCount count = counter.count(Tokenizer.O200K, text);

    assertThat(count.atMost()).isGreaterThanOrEqualTo(tokens);
    assertThat(count.atLeast()).isLessThanOrEqualTo(tokens);
    assertThat(counter.count(Tokenizer.BYTES, text).atMost()).isGreaterThanOrEqualTo(tokens);
    assertThat(counter.count(Tokenizer.BYTES, text).atLeast()).isLessThanOrEqualTo(tokens);
  }

  @Property(tries = 300)
  void aTextIsCutIntoAllOfItsParts(@ForAll("texts") String text) {
    StringBuilder all = new StringBuilder();
    Runs.cut(text, all::append, all::append);

    assertThat(all).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a", " ", "!", "\n", "é", "漢", "😀", "a\u0301", "a\uD835\uDC1A", "/\n", "!😀"})
  void aRunThatATokenizerTakesAsOnePieceIsCountedByItsBytes(String unit) {
    List<String> ordinary = new ArrayList<>();
    List<String> runs = new ArrayList<>();
    String run = unit.repeat(600);
    Runs.cut("12" + run + "34", ordinary::add, runs::add);

    assertThat(String.join("", ordinary)).hasSizeLessThan(6);
    assertThat(runs).singleElement().asString().contains(run.substring(1));
  }

  @Test
  void ordinaryTextIsNotCut() {
    String text = "The gateway settles, then answers.\n\n漢字は、短い。 https://example.org/a/b?c=1\n";
    List<String> ordinary = new ArrayList<>();
    Runs.cut(text.repeat(20), ordinary::add, run -> assertThat(run).isNull());

    assertThat(ordinary).containsExactly(text.repeat(20));
  }

  @Test
  void beyondALimitBytesAreCounted() {
    String sentence = "The gateway settles each payment once. ";
    String longest = sentence.repeat(TokenCounter.EXACT_CHARACTERS / sentence.length());
    TokenCount exact = counter.count(Tokenizer.O200K, CountedPrompt.of(longest));
    TokenCount more = counter.count(Tokenizer.O200K, CountedPrompt.of(longest, longest));

    assertThat(exact.atMost()).isLessThan(longest.length() / 4);
    assertThat(more.atMost() - exact.atMost())
        .isGreaterThanOrEqualTo(longest.getBytes(StandardCharsets.UTF_8).length);
    assertThat(more.atLeast()).isLessThan(exact.atMost() * 2);
  }

  @ParameterizedTest
  @EnumSource(Tokenizer.class)
  void whateverAVendorAddsIsQuotedToo(Tokenizer tokenizer) {
    CountedPrompt plain = CountedPrompt.of("hi");
    CountedPrompt full = new CountedPrompt(List.of("hi"), 3, 2, List.of(Picture.UNKNOWN), 0);

    TokenCount less = counter.count(tokenizer, plain);
    TokenCount more = counter.count(tokenizer, full);

    assertThat(less.atMost()).isGreaterThan(counter.count(tokenizer, "hi").atMost());
    assertThat(more.atMost() - less.atMost()).isEqualTo(2 * 8 + 1_000 + 2 * 32 + 5_000);
    assertThat(more.atLeast()).isEqualTo(less.atLeast());
  }

  /** What the vendors' published rules say of the same pictures. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, false, 255",
    "512, 512, false, 350",
    "1024, 1, false, 425",
    "1092, 1092, false, 1590",
    "2048, 768, false, 1445",
    "100000, 100000, false, 4784",
    "3200, 3200, true, 10000",
    "0, 0, false, 4784"
  })
  void aPictureIsNeverQuotedBelowWhatItCosts(int width, int height, boolean original, long tokens) {
    assertThat(new Picture(width, height, original).atMost()).isBetween(tokens, 20_000L);
  }

  @Test
  void aCountHasALeastAndAMost() {
    assertThatThrownBy(() -> new TokenCount(2, 1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> words =
        Arbitraries.of("the ", "Octroi", " ", "\n", "!", "漢字", "é", "😀", "12345", "/", "xq", "\t");
    Arbitrary<String> anything = Arbitraries.strings().ofMaxLength(20);
    Arbitrary<String> runs = Arbitraries.of("a", " ", "-", "漢", "😀").map(unit -> unit.repeat(300));
    return Arbitraries.frequencyOf(Tuple.of(8, words), Tuple.of(2, anything), Tuple.of(1, runs))
        .list()
        .ofMaxSize(30)
        .map(parts -> String.join("", parts));
  }
}
