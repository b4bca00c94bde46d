package dev.octroi.services.language.catalogue;

/** What a model takes besides plain text, which every model takes. */
public enum Modality {
  TEXT,
  IMAGE,
  DOCUMENT
}
