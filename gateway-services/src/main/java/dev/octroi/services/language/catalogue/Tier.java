package dev.octroi.services.language.catalogue;

/** What a model may be chosen for when the caller leaves the choice to the gateway. */
public enum Tier {
  /** Simple requests, for little money. */
  ECO,
  /** Ordinary work. */
  STANDARD,
  /** Hard work, whatever it costs. */
  PREMIUM,
  /** Costs nothing. */
  FREE,
  /** Sums up what a web search found. */
  SEARCH
}
