package dev.octroi.reference.sandbox;

import java.util.Map;

/**
 * What a sandbox vendor answers.
 *
 * @param status HTTP status
 * @param json what Jackson can write: maps, lists, records, trees; or a {@link SandboxStream}, or a
 *     {@link SandboxFile}
 * @param headers headers besides the media type
 */
public record SandboxAnswer(int status, Object json, Map<String, String> headers) {

  public static SandboxAnswer ok(Object json) {
    return new SandboxAnswer(200, json, Map.of());
  }

  public static SandboxAnswer status(int status, Object json) {
    return new SandboxAnswer(status, json, Map.of());
  }
}
