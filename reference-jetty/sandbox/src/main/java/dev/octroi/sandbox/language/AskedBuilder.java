package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what a request asks while its protocol's reader walks over it. */
final class AskedBuilder {

  private static final int STANDARD_MAX_TOKENS = 16_384;

  private final JsonNode body;
  private final List<String> texts = new ArrayList<>();
  private final List<Asked.Tool> tools = new ArrayList<>();
  private final List<String> results = new ArrayList<>();
  private final List<Asked.Picture> pictures = new ArrayList<>();
  private final List<String> stops = new ArrayList<>();
  private final StringBuilder lastText = new StringBuilder();
  private Asked.Choice choice = Asked.Choice.AUTO;
  private int turns;
  private int maxTokens = STANDARD_MAX_TOKENS;
  private boolean parallel = true;
  private boolean thinks;
  private @Nullable JsonNode schema;

  AskedBuilder(JsonNode body) {
    this.body = body;
    stops(body.path("stop_sequences"));
    stops(body.path("stop"));
  }

  /** A turn of the user's: what came before is no longer the last. */
  void userTurn() {
    turns++;
    lastText.setLength(0);
    results.clear();
    pictures.clear();
  }

  /** Any other turn. */
  void turn() {
    turns++;
  }

  void userText(String text) {
    texts.add(text);
    lastText.append(lastText.isEmpty() ? "" : "\n").append(text);
  }

  void read(String text) {
    texts.add(text);
  }

  void result(String text) {
    texts.add(text);
    results.add(text);
  }

  void tool(String name, JsonNode schemaOfArguments, JsonNode all) {
    texts.add(all.toString());
    String description = all.findPath("description").asText();
    tools.add(new Asked.Tool(name, description, schemaOfArguments));
  }

  void file(String mediaType, String base64) {
    try {
      pictures.add(new Asked.Picture(mediaType, Base64.getDecoder().decode(base64), ""));
    } catch (IllegalArgumentException wrong) {
      throw VendorRefusal.wrong("data", "is not base64");
    }
  }

  /** A picture by address, which may hold the picture itself. */
  void address(String url) {
    int comma = url.indexOf(";base64,");
    if (url.startsWith("data:") && comma > 0) {
      file(url.substring("data:".length(), comma), url.substring(comma + ";base64,".length()));
    } else {
      pictures.add(new Asked.Picture("", new byte[0], url));
    }
  }

  void choose(Asked.Choice given) {
    choice = given;
  }

  void maxTokens(JsonNode given) {
    if (given.isNumber()) {
      maxTokens = given.asInt();
    }
  }

  void parallel(boolean allowed) {
    parallel = allowed;
  }

  void think(boolean shown) {
    thinks = shown;
  }

  void schema(JsonNode given) {
    schema = given;
  }

  Asked built() {
    if (turns == 0) {
      throw VendorRefusal.missing("messages");
    }
    return new Asked(
        body.path("model").asText(),
        lastText.toString(),
        texts,
        turns,
        tools,
        choice,
        parallel,
        results,
        pictures,
        thinks,
        stops,
        maxTokens,
        schema,
        body.path("stream").asBoolean(false),
        body);
  }

  private void stops(JsonNode given) {
    if (given.isTextual()) {
      stops.add(given.textValue());
    }
    given.valueStream().filter(JsonNode::isTextual).forEach(stop -> stops.add(stop.textValue()));
  }
}
