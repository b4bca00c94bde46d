package dev.octroi.payments;

import org.jspecify.annotations.Nullable;

/**
 * Control characters in texts that are kept: PostgreSQL refuses NUL, H2 keeps it, and others forge
 * lines of a log or what a terminal shows. A caller's or operator's text that has any is refused
 * where it comes in; what a vendor or a chain tells is kept without them, because what happened
 * must be written down whatever it is called.
 */
public final class ControlCharacters {

  private static final char INSTEAD = '\uFFFD';

  private ControlCharacters() {}

  /** Whether a text has any, line breaks and tabs among them. */
  public static boolean areIn(String text) {
    return text.chars().anyMatch(Character::isISOControl);
  }

  /** Whether a text of several lines has any but line breaks and tabs. */
  public static boolean areInLines(String text) {
    return text.chars().anyMatch(ControlCharacters::breaksLines);
  }

  /** The text with a replacement character for each, but for line breaks and tabs. */
  public static @Nullable String replacedIn(@Nullable String text) {
    if (text == null || !areInLines(text)) {
      return text;
    }
    StringBuilder clean = new StringBuilder(text);
    for (int i = 0; i < clean.length(); i++) {
      if (breaksLines(clean.charAt(i))) {
        clean.setCharAt(i, INSTEAD);
      }
    }
    return clean.toString();
  }

  private static boolean breaksLines(int character) {
    return Character.isISOControl(character)
        && character != '\n'
        && character != '\r'
        && character != '\t';
  }
}
