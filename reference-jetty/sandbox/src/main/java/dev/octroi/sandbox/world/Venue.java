package dev.octroi.sandbox.world;

import java.util.List;

/** The venues that trade prediction markets, with their words in bodies and in parameter names. */
public enum Venue {
  A("polymarket"),
  B("kalshi"),
  C("dflow"),
  D("limitless"),
  E("opinion"),
  F("predict");

  static final List<Venue> ALL = List.of(values());

  private final String word;

  Venue(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  /** The venue of a word or of its letter in the table of events. */
  static Venue of(String text) {
    return ALL.stream()
        .filter(venue -> venue.word.equals(text) || venue.name().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no venue " + text));
  }
}
