package dev.octroi.api.language;

import dev.octroi.services.language.Dialect;

/** Which protocol is spoken where. */
final class Dialects {

  static final String MESSAGES = "/v1/messages";
  static final String CHAT = "/v1/chat/completions";
  static final String RESPONSES = "/v1/responses";

  private Dialects() {}

  static Dialect of(String path) {
    return switch (path) {
      case MESSAGES -> Dialect.MESSAGES;
      case CHAT -> Dialect.CHAT;
      case RESPONSES -> Dialect.RESPONSES;
      default -> throw new IllegalArgumentException("no protocol is spoken there");
    };
  }
}
