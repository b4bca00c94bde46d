package dev.octroi.api.group;

/** The forms of an error body (specification, error objects; decisions, error shapes). */
public enum ErrorShape {
  /** {@code {"error":"message"}}: the gateway itself, wallet and operator endpoints. */
  FLAT,
  /** {@code {"error":{"code","message"}}}: the marketplace services and smart search. */
  NESTED,
  /** {@code {"error":{"message","type","code"}}}: the chat-completion-compatible endpoints. */
  RELAY,
  /** The relay form with the messages vendor's top-level {@code "type":"error"}. */
  MESSAGES
}
