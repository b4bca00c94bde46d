package dev.octroi.sandbox.websearch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.List;
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
          "has", "have", "was", "were", "please", "tell", "https", "www");

  private final Analyzer analyzer =
      new EnglishAnalyzer(left(), new CharArraySet(List.of("news"), true));

  private static CharArraySet left() {
    CharArraySet left = CharArraySet.copy(EnglishAnalyzer.getDefaultStopSet());
    left.addAll(ASKING);
    return left;
  }

  Analyzer analyzer() {
    return analyzer;
  }

  /** The distinct words of a text, in their order. */
  Set<String> of(String text) {
    Set<String> words = new LinkedHashSet<>();
    try (TokenStream tokens = analyzer.tokenStream("text", text)) {
      CharTermAttribute word = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (words.size() < MOST && tokens.incrementToken()) {
        words.add(word.toString());
      }
      tokens.end();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return words;
  }
}
