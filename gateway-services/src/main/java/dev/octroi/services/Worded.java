package dev.octroi.services;

/** A constant of a closed table that callers name by a word. */
public interface Worded {

  /** What callers write. */
  String word();
}
