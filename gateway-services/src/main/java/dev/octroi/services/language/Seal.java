package dev.octroi.services.language;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What an upstream adds to the model's thoughts so that it can trust them when they come back. It
 * means something to the protocol that made it only; callers of another protocol carry it as an
 * opaque {@link #token()} and hand it back with their next prompt.
 *
 * @param kind which member of which protocol it is
 * @param id the item's id where the protocol has one, else empty
 * @param value the upstream's bytes as text
 */
public record Seal(Kind kind, String id, String value) {

  private static final String MARK = "octroi.";

  /** The members that carry seals. */
  public enum Kind {
    /** {@code signature} of a thinking block. */
    SIGNATURE,
    /** {@code data} of a block of redacted thinking. */
    REDACTED,
    /** {@code encrypted_content} of a reasoning item. */
    ENCRYPTED,
    /**
     * {@code extra_content} of a tool's call, by which some hosts of the chat protocol know their
     * own calls again; the id is the call's.
     */
    CALL
  }

  /** Whether upstreams of the messages protocol can open it. */
  public boolean ofMessages() {
    return kind == Kind.SIGNATURE || kind == Kind.REDACTED;
  }

  /** The value as it stands in a protocol that has this kind, the token in all others. */
  public String in(Kind kindOfThatProtocol) {
    return kind == kindOfThatProtocol ? value : token();
  }

  /** The seal as one opaque text for protocols that did not make it. */
  public String token() {
    String name = kind.name().toLowerCase(Locale.ROOT);
    byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
    return MARK
        + name
        + "."
        + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)
        + "."
        + value;
  }

  /**
   * The seal that a caller handed back.
   *
   * @param own what the text is when it is no token; null where the protocol has no seal of its own
   * @return null for an empty text, and for one that is neither
   */
  public static @Nullable Seal read(String text, @Nullable Kind own, String id) {
    Seal carried = text.startsWith(MARK) ? carried(text.substring(MARK.length())) : null;
    if (carried != null) {
      return carried;
    }
    return own == null || text.isEmpty() ? null : new Seal(own, id, text);
  }

  private static @Nullable Seal carried(String text) {
    String[] fields = text.split("\\.", 3);
    if (fields.length < 3) {
      return null;
    }
    for (Kind kind : Kind.values()) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(fields[0])) {
        return new Seal(kind, decoded(fields[1]), fields[2]);
      }
    }
    return null;
  }

  private static String decoded(String id) {
    try {
      return new String(Base64.getUrlDecoder().decode(id), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notBase64) {
      return "";
    }
  }
}
