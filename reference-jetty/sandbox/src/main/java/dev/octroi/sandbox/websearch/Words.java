package dev.octroi.sandbox.websearch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/**
 * English text as the index sees it: words without their endings; the common ones, and those that
 * only make a question of it, are left out.
 */
final class Words {

  /** A longer question is cut: the index takes no more clauses than a thousand. */
  private static final int MOST = 200;

  private static final List<String> ASKING =
      List.of(
          "what", "how", "who", "why", "which", "when", "where", "whose", "do", "does", "did",
          "can", "could", "should", "would", "i", "me", "my", "we", "you", "your", "about", "from",
          "has", "have", "was", "were", "please", "tell", "may", "make", "best", "latest", "now",
          "https", "www");

  /** Who says the first means the second too. */
  private static final Map<String, String> MEANT =
      Map.of(
          "cost", "price",
          "worth", "price",
          "rain", "weather",
          "sunny", "weather",
          "temperature", "weather",
          "forecast", "weather");

  private final Analyzer analyzer =
      new EnglishAnalyzer(left(), new CharArraySet(List.of("news"), true));

  private final Map<String, String> meant = new HashMap<>();

  Words() {
    Map<String, String> ends = new HashMap<>();
    MEANT.forEach((said, too) -> ends.put(first(said), first(too)));
    meant.putAll(ends);
  }

  private String first(String word) {
    return of(word).iterator().next();
  }

  private static CharArraySet left() {
    CharArraySet left = CharArraySet.copy(EnglishAnalyzer.getDefaultStopSet());
    left.addAll(ASKING);
    return left;
  }

  Analyzer analyzer() {
    return analyzer;
  }

  /** The distinct words of a text, in their order, and what they mean besides. */
  Set<String> of(String text) {
    Set<String> words = new LinkedHashSet<>();
    try (TokenStream tokens = analyzer.tokenStream("text", text)) {
      CharTermAttribute word = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (words.size() < MOST && tokens.incrementToken()) {
        words.add(word.toString());
        Optional.ofNullable(meant.get(word.toString())).ifPresent(words::add);
      }
      tokens.end();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return words;
  }
}
