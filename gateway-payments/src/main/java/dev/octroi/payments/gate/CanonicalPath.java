package dev.octroi.payments.gate;

import jakarta.ws.rs.core.UriInfo;

/** The path below the application, encoded as received and with one leading slash. */
final class CanonicalPath {

  private CanonicalPath() {}

  /** RESTEasy alone begins {@link UriInfo#getPath} with a slash. */
  static String below(UriInfo uri) {
    String path = uri.getPath(false);
    return path.startsWith("/") ? path : "/" + path;
  }
}
