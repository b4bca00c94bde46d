package dev.octroi.payments.x402;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a payment is asked for (x402 v2, {@code resource}).
 *
 * @param url the absolute address of the resource
 * @param description a sentence for people
 * @param mimeType the media type of the answer
 * @param serviceName at most {@value #MAX_NAME} printable ASCII characters
 * @param tags at most {@value #MAX_TAGS}, each at most {@value #MAX_NAME} printable ASCII
 *     characters
 * @param iconUrl the absolute address of a picture
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ResourceInfo(
    String url,
    @Nullable String description,
    @Nullable String mimeType,
    @Nullable String serviceName,
    @Nullable List<String> tags,
    @Nullable String iconUrl) {

  static final int MAX_NAME = 32;
  static final int MAX_TAGS = 5;

  /** Throws {@link IllegalArgumentException} where a limit of the protocol is not kept. */
  public ResourceInfo {
    if (serviceName != null) {
      requireShortAscii("serviceName", serviceName);
    }
    if (tags != null) {
      tags = List.copyOf(tags);
      if (tags.size() > MAX_TAGS) {
        throw new IllegalArgumentException("a resource has at most " + MAX_TAGS + " tags");
      }
      tags.forEach(tag -> requireShortAscii("a tag", tag));
    }
  }

  /** A resource of which only the address is told. */
  public static ResourceInfo at(String url) {
    return new ResourceInfo(url, null, null, null, null, null);
  }

  private static void requireShortAscii(String what, String text) {
    if (text.isEmpty() || text.length() > MAX_NAME || !isPrintable(text)) {
      throw new IllegalArgumentException(
          what + " is 1 to " + MAX_NAME + " printable ASCII characters");
    }
  }

  private static boolean isPrintable(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }
}
