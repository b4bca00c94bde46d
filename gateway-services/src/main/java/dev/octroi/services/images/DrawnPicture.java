package dev.octroi.services.images;

import java.net.URI;

/** A picture as an upstream gives it. */
public sealed interface DrawnPicture {

  /**
   * Its bytes.
   *
   * @param bytes do not modify
   */
  record Bytes(byte[] bytes, PictureType type) implements DrawnPicture {}

  /** An address at the upstream, public and good for as long as the upstream says. */
  record Linked(URI address) implements DrawnPicture {}
}
