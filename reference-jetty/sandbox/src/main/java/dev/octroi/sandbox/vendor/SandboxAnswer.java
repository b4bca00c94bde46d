package dev.octroi.sandbox.vendor;

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

  /** An answer that breaks off on its way: what was asked for has been done. */
  public static final SandboxAnswer LOST = new SandboxAnswer(-1, Map.of(), Map.of());

  /** An answer that never comes. */
  public static final SandboxAnswer NEVER = new SandboxAnswer(-2, Map.of(), Map.of());

  public static SandboxAnswer ok(Object json) {
    return new SandboxAnswer(200, json, Map.of());
  }

  public static SandboxAnswer status(int status, Object json) {
    return new SandboxAnswer(status, json, Map.of());
  }
}
