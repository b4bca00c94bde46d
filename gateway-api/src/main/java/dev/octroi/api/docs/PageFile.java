package dev.octroi.api.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** The files of the documentation page; read when they are first asked for, and kept. */
enum PageFile {
  PAGE("docs.html", "text/html;charset=utf-8"),
  SCRIPT("docs.js", "text/javascript;charset=utf-8"),
  STYLE("docs.css", "text/css;charset=utf-8"),
  ICON("icon.svg", "image/svg+xml"),
  VIEWER("viewer/swagger-ui-bundle.js", "text/javascript;charset=utf-8"),
  VIEWER_STYLE("viewer/swagger-ui.css", "text/css;charset=utf-8"),
  VIEWER_LICENCES("viewer/swagger-ui-bundle.js.LICENSE.txt", "text/plain;charset=utf-8");

  private static final int TAG_BYTES = 16;

  private final String resource;
  private final String type;

  PageFile(String resource, String type) {
    this.resource = resource;
    this.type = type;
  }

  /** The file of that name, unless it is a page. */
  static Optional<PageFile> named(String name) {
    return Arrays.stream(values())
        .filter(file -> !file.resource.endsWith(".html"))
        .filter(file -> file.resource.substring(file.resource.lastIndexOf('/') + 1).equals(name))
        .findFirst();
  }

  String type() {
    return type;
  }

  byte[] bytes() {
    try (InputStream in = PageFile.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the jar has no " + resource);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A strong entity tag, without quotes. */
  String tag() {
    try {
      byte[] whole = MessageDigest.getInstance("SHA-256").digest(bytes());
      return HexFormat.of().formatHex(whole, 0, TAG_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
