package dev.octroi.services.music;

import java.net.URI;

/** A track that a vendor has made. */
public sealed interface Track {

  /** How long it is, in whole seconds. */
  int seconds();

  /**
   * Its bytes.
   *
   * @param bytes do not modify
   */
  record Sound(byte[] bytes, int seconds) implements Track {}

  /** Where the vendor keeps it, for as long as the vendor likes. */
  record Linked(URI address, int seconds) implements Track {}
}
