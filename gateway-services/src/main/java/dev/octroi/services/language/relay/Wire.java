package dev.octroi.services.language.relay;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Quirk;
import dev.octroi.services.language.catalogue.WireProtocol;
import java.util.Map;
import java.util.Set;

/** Where and how an upstream of a protocol is asked. */
enum Wire {
  MESSAGES(
      Dialect.MESSAGES,
      "/messages",
      "max_tokens",
      Map.of("anthropic-version", "2023-06-01"),
      Set.of()),
  /** As compatible hosts speak it, which know the limit by its old name and no developer. */
  CHAT(
      Dialect.CHAT,
      "/chat/completions",
      "max_tokens",
      Map.of(),
      Set.of(Quirk.OLD_MAX_TOKENS, Quirk.NO_DEVELOPER_ROLE)),
  RESPONSES(Dialect.RESPONSES, "/responses", "max_output_tokens", Map.of(), Set.of());

  private final Dialect dialect;
  private final String path;
  private final String limit;

  @SuppressWarnings("ImmutableEnumChecker") // Map.of is immutable
  private final Map<String, String> headers;

  @SuppressWarnings("ImmutableEnumChecker") // Set.of is immutable
  private final Set<Quirk> quirks;

  Wire(Dialect dialect, String path, String limit, Map<String, String> headers, Set<Quirk> quirks) {
    this.dialect = dialect;
    this.path = path;
    this.limit = limit;
    this.headers = headers;
    this.quirks = quirks;
  }

  static Wire of(WireProtocol protocol) {
    return valueOf(protocol.name());
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

  Set<Quirk> quirks() {
    return quirks;
  }

  Map<String, String> headers() {
    return headers;
  }
}
