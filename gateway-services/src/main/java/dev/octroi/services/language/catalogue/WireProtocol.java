package dev.octroi.services.language.catalogue;

/** What a model's upstream speaks. */
public enum WireProtocol {
  MESSAGES,
  CHAT,
  RESPONSES
}
