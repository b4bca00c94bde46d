package dev.octroi.api;

/** What models and their callers write in the protocols, as far as the tests need it. */
final class ModelWords {

  static final String FIRST = "/first/messages";
  static final String SECOND = "/second/chat/completions";
  static final String THIRD = "/third/chat/completions";
  static final String FOURTH = "/fourth/responses";

  static final String OVERLOADED =
      "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Not now\"}}";

  private ModelWords() {}

  /** A prompt of messages and of chat alike. */
  static String prompt(String model, int output, String... members) {
    return "{\"model\":\""
        + model
        + "\",\"max_tokens\":"
        + output
        + ",\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]"
        + (members.length == 0 ? "" : "," + String.join(",", members))
        + "}";
  }

  static String message(int input, int output) {
    return "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[{\"type\":\"text\",\"text\":\"Good"
        + " day\"}],\"stop_reason\":\"end_turn\","
        + "\"stop_sequence\":null,\"usage\":{\"input_tokens\":"
        + input
        + ",\"output_tokens\":"
        + output
        + "}}";
  }

  static String completion(int input, int output) {
    return "{\"id\":\"c\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m\",\"choices\":"
        + "[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"Good day\"},"
        + "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":"
        + input
        + ",\"completion_tokens\":"
        + output
        + ",\"total_tokens\":"
        + (input + output)
        + "}}";
  }

  /** The same with two answers. */
  static String completions(int input, int output) {
    return completion(input, output)
        .replace(
            "\"choices\":[",
            "\"choices\":[{\"index\":1,\"message\":{\"role\":\"assistant\",\"content\":\"Hello\"},"
                + "\"finish_reason\":\"stop\"},");
  }

  static String response(String text, int input, int output) {
    return "{\"id\":\"resp_1\",\"object\":\"response\",\"status\":\"completed\",\"model\":\"m\","
        + "\"output\":[{\"type\":\"message\",\"id\":\"msg_1\",\"role\":\"assistant\","
        + "\"status\":\"completed\",\"content\":[{\"type\":\"output_text\",\"text\":\""
        + text
        + "\",\"annotations\":[]}]}],\"usage\":{\"input_tokens\":"
        + input
        + ",\"output_tokens\":"
        + output
        + "}}";
  }

  /** A chunk of a chat stream. */
  static String chunk(String text) {
    return "data: {\"id\":\"c\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\""
        + text
        + "\"}}]}\n\n";
  }

  /** The end of a chat stream. */
  static String chunksEnd(int input, int output) {
    return "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
        + "data: {\"id\":\"c\",\"choices\":[],\"usage\":{\"prompt_tokens\":"
        + input
        + ",\"completion_tokens\":"
        + output
        + "}}\n\ndata: [DONE]\n\n";
  }

  /** The beginning of a streamed message, up to its first block. */
  static String begins(int input) {
    return event(
            "message_start",
            "\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\","
                + "\"model\":\"m\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,"
                + "\"usage\":{\"input_tokens\":"
                + input
                + ",\"output_tokens\":1}}")
        + event(
            "content_block_start",
            "\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}");
  }

  static String says(String text) {
    return event(
        "content_block_delta",
        "\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"" + text + "\"}");
  }

  static String ends(int output) {
    return event("content_block_stop", "\"index\":0")
        + event(
            "message_delta",
            "\"delta\":{\"stop_reason\":\"end_turn\",\"stop_sequence\":null},"
                + "\"usage\":{\"output_tokens\":"
                + output
                + "}")
        + event("message_stop", null);
  }

  private static String event(String type, String members) {
    return "event: "
        + type
        + "\ndata: {\"type\":\""
        + type
        + "\""
        + (members == null ? "" : "," + members)
        + "}\n\n";
  }
}
