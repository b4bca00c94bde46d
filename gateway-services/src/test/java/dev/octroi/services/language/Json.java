package dev.octroi.services.language;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;

/** JSON with single quotes, so that tests can be read. */
public final class Json {

  private Json() {}

  public static byte[] bytes(String singleQuoted) {
    return singleQuoted.replace('\'', '"').getBytes(UTF_8);
  }

  public static JsonNode tree(byte[] bytes) {
    return LanguageJson.tree(bytes);
  }

  public static String text(JsonNode node) {
    return node.toString().replace('"', '\'');
  }
}
