package dev.octroi.services.images;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** The kinds of pictures that the gateway knows, told by their first bytes and nothing else. */
public enum PictureType {
  PNG("image/png", "png"),
  JPEG("image/jpeg", "jpeg"),
  WEBP("image/webp", "webp");

  private final String mediaType;
  private final String word;

  PictureType(String mediaType, String word) {
    this.mediaType = mediaType;
    this.word = word;
  }

  public String mediaType() {
    return mediaType;
  }

  /** As {@code output_format} has it. */
  public String word() {
    return word;
  }

  /** What the bytes are, whatever the caller or the upstream says about them. */
  public static Optional<PictureType> of(byte[] bytes) {
    return Arrays.stream(values()).filter(type -> type.begins(bytes)).findFirst();
  }

  private boolean begins(byte[] bytes) {
    return switch (this) {
      case PNG -> has(bytes, 0, "\u0089PNG\r\n\u001a\n");
      case JPEG -> has(bytes, 0, "\u00ff\u00d8\u00ff");
      case WEBP -> has(bytes, 0, "RIFF") && has(bytes, 8, "WEBP");
    };
  }

  private static boolean has(byte[] bytes, int at, String sign) {
    byte[] expected = sign.getBytes(StandardCharsets.ISO_8859_1);
    return bytes.length >= at + expected.length
        && Arrays.equals(bytes, at, at + expected.length, expected, 0, expected.length);
  }
}
