package dev.octroi.api.asset;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * What may be served, a closed table: nothing in it can run in a browser, whatever a vendor sent.
 */
public enum AssetType {
  PNG("image/png", "png", mark(0, "\u0089PNG\r\n\u001a\n")),
  JPEG("image/jpeg", "jpg", mark(0, "\u00ff\u00d8\u00ff")),
  WEBP("image/webp", "webp", mark(0, "RIFF"), mark(8, "WEBP")),
  WAV("audio/wav", "wav", mark(0, "RIFF"), mark(8, "WAVE")),
  FLAC("audio/flac", "flac", mark(0, "fLaC")),
  OGG("audio/ogg", "ogg", mark(0, "OggS")),
  MP3("audio/mpeg", "mp3", mark(0, "ID3"));

  private static final int SYNC = 0xFF;

  private final String mediaType;
  private final String extension;

  @SuppressWarnings("ImmutableEnumChecker") // never handed out
  private final Mark[] marks;

  AssetType(String mediaType, String extension, Mark... marks) {
    this.mediaType = mediaType;
    this.extension = extension;
    this.marks = marks;
  }

  /** Such as {@code image/png}. */
  public String mediaType() {
    return mediaType;
  }

  /** What names end in, without the dot. */
  public String extension() {
    return extension;
  }

  static AssetType ofExtension(String extension) {
    return Arrays.stream(values())
        .filter(type -> type.extension.equals(extension))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such type: " + extension));
  }

  /**
   * What bytes really are, whatever was said about them.
   *
   * @param head the first 12 bytes, or all of them
   * @return empty if it is none of the table
   */
  public static Optional<AssetType> of(byte[] head) {
    return Arrays.stream(values())
        .filter(type -> Arrays.stream(type.marks).allMatch(mark -> mark.isIn(head)))
        .findFirst()
        .or(() -> isMpegFrame(head) ? Optional.of(MP3) : Optional.empty());
  }

  /** Tracks without a tag begin with a frame: eleven bits set, layer III. */
  private static boolean isMpegFrame(byte[] head) {
    return head.length > 1 && (head[0] & 0xFF) == SYNC && (head[1] & 0xE6) == 0xE2;
  }

  private static Mark mark(int offset, String text) {
    return new Mark(offset, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private record Mark(int offset, byte[] bytes) {

    boolean isIn(byte[] head) {
      int end = offset + bytes.length;
      return head.length >= end && Arrays.equals(head, offset, end, bytes, 0, bytes.length);
    }
  }
}
