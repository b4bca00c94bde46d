package dev.octroi.sandbox.cryptodata;

import java.util.Map;

/** A group of the vendor's paths that share their data. Thread-safe. */
interface Family {

  /** What answers each path, by method, space and path. */
  Map<String, Reading> readings();

  /** Answers one path with the whole envelope. */
  interface Reading {
    Fields read(Ask ask);
  }
}
