package dev.octroi.services.language;

/** The language protocols that are spoken with callers and with upstreams. */
public enum Dialect {
  MESSAGES,
  CHAT,
  RESPONSES
}
