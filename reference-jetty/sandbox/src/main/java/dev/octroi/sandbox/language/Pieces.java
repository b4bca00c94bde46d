package dev.octroi.sandbox.language;

import java.util.ArrayList;
import java.util.List;

/** Cuts arguments as vendors do: anywhere. */
final class Pieces {

  private static final int SIZE = 7;

  private Pieces() {}

  static List<String> of(String text) {
    List<String> pieces = new ArrayList<>();
    int begin = 0;
    while (begin < text.length()) {
      int end = Math.min(text.length(), begin + SIZE);
      if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
        end++;
      }
      pieces.add(text.substring(begin, end));
      begin = end;
    }
    return pieces;
  }
}
