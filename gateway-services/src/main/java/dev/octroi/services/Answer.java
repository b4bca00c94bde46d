package dev.octroi.services;

import java.util.Map;

/**
 * What an upstream said, ready to leave: its bytes are never re-serialised unless a record is
 * stated for them.
 *
 * @param status HTTP status; 400 and above is never charged
 * @param mediaType such as {@code application/json}
 * @param body the bytes; do not modify
 * @param headers headers that the caller needs besides, such as {@code Retry-After}
 * @param charged false for a success that costs nothing, such as a pending 202
 */
public record Answer(
    int status, String mediaType, byte[] body, Map<String, String> headers, boolean charged) {

  public static Answer json(int status, byte[] body) {
    return new Answer(status, "application/json", body, Map.of(), true);
  }
}
