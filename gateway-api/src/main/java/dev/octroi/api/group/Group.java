package dev.octroi.api.group;

import java.util.List;
import java.util.Optional;

/** A group of endpoints: where it lies and how its errors look (specification, groups). */
public enum Group {
  CRYPTODATA("cryptodata", "Crypto data", ErrorShape.NESTED, "/v1/marketplace/cryptodata"),
  PREDICTION("prediction", "Prediction markets", ErrorShape.NESTED, "/v1/marketplace/prediction"),
  PHONE("phone", "Phone", ErrorShape.NESTED, "/v1/marketplace/phone"),
  VOICE("voice", "Voice", ErrorShape.NESTED, "/v1/marketplace/voice"),
  WEBSEARCH("websearch", "Web search", ErrorShape.NESTED, "/v1/marketplace/websearch"),
  SMARTSEARCH("smartsearch", "Smart search", ErrorShape.NESTED, "/v1/search"),
  MESSAGES("messages", "Messages", ErrorShape.MESSAGES, "/v1/messages"),
  CHAT(
      "chat",
      "Chat completions and responses",
      ErrorShape.RELAY,
      "/v1/chat",
      "/v1/responses",
      "/v1/models"),
  MUSIC("music", "Music", ErrorShape.RELAY, "/v1/audio"),
  IMAGES("images", "Images", ErrorShape.RELAY, "/v1/images");

  /** Asked several times in each call. */
  private static final List<Group> ALL = List.of(values());

  private final String word;
  private final String title;
  private final ErrorShape errors;

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
  private final List<String> bases;

  Group(String word, String title, ErrorShape errors, String... bases) {
    this.word = word;
    this.title = title;
    this.errors = errors;
    this.bases = List.of(bases);
  }

  /** The word that settings and paths use. */
  public String word() {
    return word;
  }

  /** The name for people. */
  public String title() {
    return title;
  }

  public ErrorShape errors() {
    return errors;
  }

  /** The canonical base path, without a slash at its end. */
  public String base() {
    return bases.get(0);
  }

  /** The group that serves a canonical path; empty for paths of the gateway itself. */
  public static Optional<Group> of(String path) {
    for (Group group : ALL) {
      for (String base : group.bases) {
        if (isAtOrBelow(base, path)) {
          return Optional.of(group);
        }
      }
    }
    return Optional.empty();
  }

  /** Whether a path is a base, which has no slash at its end, or lies below it. */
  public static boolean isAtOrBelow(String base, String path) {
    return path.startsWith(base)
        && (path.length() == base.length() || path.charAt(base.length()) == '/');
  }
}
