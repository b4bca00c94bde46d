package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request asks of the model, whatever protocol it came in.
 *
 * @param model as it was named
 * @param lastText what the last user turn says
 * @param texts everything that the model reads, for its usage
 * @param turns how many turns there are
 * @param tools what it may call
 * @param choice whether it must
 * @param parallel whether it may call several at once
 * @param results what tools have answered in the last turn
 * @param pictures in the last user turn
 * @param thinks whether its thinking is to be shown
 * @param stops where it is to stop
 * @param maxTokens what it may write at most
 * @param schema of the JSON that it is to write; null for plain text
 * @param stream whether it answers bit by bit
 * @param body the request itself, for what only its own protocol knows
 */
record Asked(
    String model,
    String lastText,
    List<String> texts,
    int turns,
    List<Tool> tools,
    Choice choice,
    boolean parallel,
    List<String> results,
    List<Picture> pictures,
    boolean thinks,
    List<String> stops,
    int maxTokens,
    @Nullable JsonNode schema,
    boolean stream,
    JsonNode body) {

  /**
   * A tool.
   *
   * @param name of the tool
   * @param description what it is for
   * @param schema of its arguments
   */
  record Tool(String name, String description, JsonNode schema) {}

  /**
   * Whether a tool must be called.
   *
   * @param kind how the choice is bound
   * @param name of the tool, where one is named
   */
  record Choice(Kind kind, String name) {

    /** How the choice is bound. */
    enum Kind {
      AUTO,
      NONE,
      ANY,
      NAMED
    }

    static final Choice AUTO = new Choice(Kind.AUTO, "");
    static final Choice NONE = new Choice(Kind.NONE, "");
    static final Choice ANY = new Choice(Kind.ANY, "");

    static Choice of(String name) {
      return new Choice(Kind.NAMED, name);
    }
  }

  /**
   * A picture or document.
   *
   * @param mediaType as the request says
   * @param bytes the file; empty where only an address is given
   * @param address where it lies; empty where the file is given
   */
  record Picture(String mediaType, byte[] bytes, String address) {}
}
