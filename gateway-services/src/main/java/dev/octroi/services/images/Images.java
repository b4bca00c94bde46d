package dev.octroi.services.images;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.images.ImageCatalogue.ImageModel;
import dev.octroi.services.images.ImageRequests.ImageQuote;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Draws and changes pictures. Implementations are thread-safe. */
public interface Images {

  /**
   * Draws what is ordered; waits for it.
   *
   * @param progress is given pictures of the work in progress as they come, if any were ordered
   * @return as many as ordered
   * @throws Failure 400 for what the model does not draw, {@code content_policy_violation} among
   *     it; 502 and 503 for an upstream that failed
   */
  List<DrawnPicture> draw(ImageOrder order, Deadline deadline, Consumer<DrawnPicture> progress);

  /**
   * Changes pictures; waits for it.
   *
   * @param progress as with {@link #draw}, but only where the caller reads a stream: there is no
   *     job to look at
   * @throws Failure as {@link #draw}
   */
  List<DrawnPicture> edit(ImageEdit edit, Deadline deadline, Consumer<DrawnPicture> progress);

  /**
   * A call that has been read and may be made.
   *
   * @param prompt not empty
   * @param form what the caller is given of each picture
   * @param stream whether the caller is told of pictures as they come
   * @param progress how many pictures of the work in progress are wanted, 0 to 3
   * @param options what goes to the model besides, by the vendor's names: texts, numbers, booleans
   */
  record ImageOrder(
      ImageQuote quote,
      String prompt,
      PictureForm form,
      boolean stream,
      int progress,
      Map<String, Object> options) {

    public ImageOrder {
      options = Map.copyOf(options);
    }

    public ImageModel model() {
      return quote.model();
    }

    /** Whether the caller wants the bytes and nothing else. */
    public boolean base64() {
      return form == PictureForm.BYTES;
    }
  }

  /** What a caller is given of a picture. */
  enum PictureForm {
    ADDRESS,
    BYTES,
    /** The bytes too, where the upstream gave them. */
    BOTH
  }

  /** A picture as an upstream gives it. */
  sealed interface DrawnPicture {

    /**
     * Its bytes.
     *
     * @param bytes do not modify
     * @param told what the upstream said of this very picture in a stream, such as its size
     */
    record Bytes(byte[] bytes, PictureType type, JsonNode told) implements DrawnPicture {}

    /** An address at the upstream, public and good for as long as the upstream says. */
    record Linked(URI address) implements DrawnPicture {}
  }

  /**
   * Pictures to be changed, and how.
   *
   * @param pictures one at least
   * @param mask whose transparent areas are changed; everything is, without one
   */
  record ImageEdit(ImageOrder order, List<GivenPicture> pictures, Optional<GivenPicture> mask) {

    /** Pictures of one edit at most. */
    public static final int MOST = 16;

    /** Throws a {@link Failure}, 400, if the mask does not fit the picture. */
    public ImageEdit {
      pictures = List.copyOf(pictures);
      if (pictures.isEmpty()) {
        throw Failure.invalid("image is missing");
      }
      if (pictures.size() > MOST) {
        throw Failure.invalid("images has at most " + MOST + " pictures");
      }
      requireFitting(pictures.get(0), mask);
    }

    private static void requireFitting(GivenPicture picture, Optional<GivenPicture> mask) {
      if (mask.isEmpty()) {
        return;
      }
      if (!mask.get().alpha()) {
        throw Failure.invalid("mask has no transparency");
      }
      if (!mask.get().size().equals(picture.size())) {
        throw Failure.invalid(
            "mask is " + mask.get().size() + " and the picture " + picture.size());
      }
    }
  }

  /** The kinds of pictures that the gateway knows, told by their first bytes and nothing else. */
  enum PictureType {
    PNG("image/png", "png"),
    JPEG("image/jpeg", "jpeg"),
    WEBP("image/webp", "webp");

    /** What writers of pictures leave behind their end, at most. */
    private static final int TRAILING = 1 << 10;

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

    /** Whether the bytes end, as one that breaks off does not; something may stand behind. */
    boolean isWhole(byte[] bytes) {
      return switch (this) {
        case PNG -> ends(bytes, "IEND\u00aeB`\u0082");
        case JPEG -> ends(bytes, "\u00ff\u00d9");
        case WEBP -> {
          int length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
          yield Integer.toUnsignedLong(length) + 8 <= bytes.length;
        }
      };
    }

    private static boolean ends(byte[] bytes, String sign) {
      int from = Math.max(0, bytes.length - TRAILING);
      return IntStream.range(from, bytes.length).anyMatch(at -> has(bytes, at, sign));
    }

    private static boolean has(byte[] bytes, int at, String sign) {
      byte[] expected = sign.getBytes(StandardCharsets.ISO_8859_1);
      return bytes.length >= at + expected.length
          && Arrays.equals(bytes, at, at + expected.length, expected, 0, expected.length);
    }
  }
}
