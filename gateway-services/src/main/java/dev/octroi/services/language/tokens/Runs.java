package dev.octroi.services.language.tokens;

import java.util.function.Consumer;

/**
 * Cuts a text where a tokenizer would become slow: it takes a run of letters, of spaces or of signs
 * as one piece, and its work grows faster than the piece, so that a text of one letter could hold a
 * processor for seconds.
 */
final class Runs {

  /** Longer than a word or a line of any language. */
  static final int LONGEST = 256;

  private Runs() {}

  private enum Kind {
    LETTER,
    DIGIT,
    SPACE,
    SIGN,
    ANY
  }

  /**
   * The text in its order.
   *
   * @param ordinary given what lies between long runs
   * @param longRun given each run that is longer than {@link #LONGEST} characters
   */
  static void cut(String text, Consumer<String> ordinary, Consumer<String> longRun) {
    int done = 0;
    int begin = 0;
    while (begin < text.length()) {
      int end = end(text, begin);
      if (end - begin > LONGEST) {
        if (begin > done) {
          ordinary.accept(text.substring(done, begin));
        }
        longRun.accept(text.substring(begin, end));
        done = end;
      }
      begin = end;
    }
    if (done < text.length()) {
      ordinary.accept(text.substring(done));
    }
  }

  private static int end(String text, int begin) {
    Kind kind = kind(text.charAt(begin));
    int end = begin + 1;
    while (end < text.length()) {
      Kind next = kind(text.charAt(end));
      if (kind == Kind.ANY) {
        kind = next;
      } else if (next != Kind.ANY && next != kind) {
        break;
      }
      end++;
    }
    return end;
  }

  /** Whatever a vocabulary might count as a letter here and as a sign there belongs to any run. */
  private static Kind kind(char sign) {
    if (Character.isLetter(sign)) {
      return Kind.LETTER;
    }
    if (Character.isWhitespace(sign)) {
      return Kind.SPACE;
    }
    if (sign >= '0' && sign <= '9') {
      return Kind.DIGIT;
    }
    return sign != '/' && punctuation(Character.getType(sign)) ? Kind.SIGN : Kind.ANY;
  }

  private static boolean punctuation(int type) {
    return switch (type) {
      case Character.DASH_PUNCTUATION,
          Character.START_PUNCTUATION,
          Character.END_PUNCTUATION,
          Character.CONNECTOR_PUNCTUATION,
          Character.OTHER_PUNCTUATION,
          Character.INITIAL_QUOTE_PUNCTUATION,
          Character.FINAL_QUOTE_PUNCTUATION,
          Character.MATH_SYMBOL,
          Character.CURRENCY_SYMBOL ->
          true;
      default -> false;
    };
  }
}
