package dev.octroi.payments.x402;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
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

  /** As a challenge states it; throws {@link MalformedPayment}. */
  static ResourceInfo read(JsonNode resource) {
    List<String> tags = new ArrayList<>();
    resource.path("tags").forEach(tag -> tags.add(tag.asText()));
    try {
      return new ResourceInfo(
          Json.text(resource, "url"),
          Json.optionalText(resource, "description"),
          Json.optionalText(resource, "mimeType"),
          Json.optionalText(resource, "serviceName"),
          tags.isEmpty() ? null : tags,
          Json.optionalText(resource, "iconUrl"));
    } catch (IllegalArgumentException e) {
      throw new MalformedPayment("The resource of the challenge breaks a limit of the protocol.");
    }
  }

  /** Writes it down as JSON. */
  void appendTo(StringBuilder json) {
    json.append("{\"url\":");
    Json.string(json, url);
    member(json, "description", description);
    member(json, "mimeType", mimeType);
    member(json, "serviceName", serviceName);
    if (tags != null) {
      append(json, tags);
    }
    member(json, "iconUrl", iconUrl);
    json.append('}');
  }

  private static void member(StringBuilder json, String name, @Nullable String value) {
    if (value != null) {
      json.append(",\"").append(name).append("\":");
      Json.string(json, value);
    }
  }

  private static void append(StringBuilder json, List<String> tags) {
    String separator = ",\"tags\":[";
    for (String tag : tags) {
      json.append(separator);
      Json.string(json, tag);
      separator = ",";
    }
    json.append(tags.isEmpty() ? "" : "]");
  }
}
