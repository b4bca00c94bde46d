package dev.octroi.services.language.tokens;

/**
 * A number of tokens, as closely as it can be known without the model.
 *
 * @param atLeast surely as many: what decides whether a window is exceeded
 * @param atMost surely no more: what is quoted
 */
public record TokenCount(long atLeast, long atMost) {

  static final TokenCount NONE = new TokenCount(0, 0);

  public TokenCount {
    if (atLeast < 0 || atMost < atLeast) {
      throw new IllegalArgumentException("a count has a least and a most");
    }
  }

  TokenCount plus(TokenCount other) {
    return new TokenCount(atLeast + other.atLeast, atMost + other.atMost);
  }
}
