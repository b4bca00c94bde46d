package dev.octroi.payments.x402;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Appends JSON in ASCII without any tree or generator, for the messages of the hot path. */
final class AsciiJson {

  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private AsciiJson() {}

  static void resource(StringBuilder json, ResourceInfo resource) {
    json.append("{\"url\":");
    string(json, resource.url());
    member(json, "description", resource.description());
    member(json, "mimeType", resource.mimeType());
    member(json, "serviceName", resource.serviceName());
    if (resource.tags() != null) {
      tags(json, resource.tags());
    }
    member(json, "iconUrl", resource.iconUrl());
    json.append('}');
  }

  static void string(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c >= ' ' && c < 0x7f) {
        json.append(c);
      } else {
        escaped(json, c);
      }
    }
    json.append('"');
  }

  private static void member(StringBuilder json, String name, @Nullable String value) {
    if (value != null) {
      json.append(",\"").append(name).append("\":");
      string(json, value);
    }
  }

  private static void tags(StringBuilder json, List<String> tags) {
    String separator = ",\"tags\":[";
    for (String tag : tags) {
      json.append(separator);
      string(json, tag);
      separator = ",";
    }
    json.append(tags.isEmpty() ? "" : "]");
  }

  private static void escaped(StringBuilder json, char c) {
    json.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      json.append(HEX[(c >> shift) & 0xf]);
    }
  }
}
