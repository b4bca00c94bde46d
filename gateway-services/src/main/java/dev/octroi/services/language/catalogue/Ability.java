package dev.octroi.services.language.catalogue;

/** What a model can be asked to do besides writing text. */
public enum Ability {
  TOOLS,
  REASONING
}
