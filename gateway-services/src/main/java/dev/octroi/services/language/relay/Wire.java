package dev.octroi.services.language.relay;

import dev.octroi.services.language.Dialect;
import java.util.Map;

/** Where and how an upstream of a protocol is asked. */
enum Wire {
  MESSAGES(Dialect.MESSAGES, "/messages", "max_tokens", Map.of("anthropic-version", "2023-06-01")),
  CHAT(Dialect.CHAT, "/chat/completions", "max_completion_tokens", Map.of()),
  RESPONSES(Dialect.RESPONSES, "/responses", "max_output_tokens", Map.of());

  private final Dialect dialect;
  private final String path;
  private final String limit;

  @SuppressWarnings("ImmutableEnumChecker") // Map.of is immutable
  private final Map<String, String> headers;

  Wire(Dialect dialect, String path, String limit, Map<String, String> headers) {
    this.dialect = dialect;
    this.path = path;
    this.limit = limit;
    this.headers = headers;
  }

  static Wire of(Dialect dialect) {
    return valueOf(dialect.name());
  }

  Dialect dialect() {
    return dialect;
  }

  String path() {
    return path;
  }

  /** The member that bounds the answer. */
  String limit() {
    return limit;
  }

  Map<String, String> headers() {
    return headers;
  }
}
