package dev.octroi.reference.cli;

import java.net.http.HttpHeaders;

/** The header by which a gateway with sandbox money labels every answer. */
final class SandboxLabel {

  private static final String HEADER = "X-Sandbox";

  private SandboxLabel() {}

  static boolean isOn(HttpHeaders headers) {
    return headers.firstValue(HEADER).isPresent();
  }
}
