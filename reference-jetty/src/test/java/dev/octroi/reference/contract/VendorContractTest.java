package dev.octroi.reference.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No request of the gateway asks a vendor for what the vendor's public contract does not know:
 * every kind of call of the groups that are no reads, before a sandbox that holds the public
 * contracts alone. {@link ReadContractTest} holds the reads.
 */
@Tag("slow")
class VendorContractTest {

  private StrictShop shop;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    shop = new StrictShop(folder);
  }

  @AfterEach
  void stop() {
    shop.close();
  }

  @Test
  void whatIsPostedToReadVendorsIsWhatTheyKnow() {
    shop.post(
        "POST_ONCHAIN_SQL",
        "/v1/marketplace/cryptodata/onchain/sql",
        "{\"sql\":\"SELECT block_number FROM ethereum.transfers LIMIT 3\",\"max_rows\":3}");
    shop.post(
        "POST_ONCHAIN_QUERY",
        "/v1/marketplace/cryptodata/onchain/query",
        "{\"source\":\"ethereum.transfers\",\"question\":\"the latest 3 transfers\",\"limit\":5}");
    shop.post(
        "POST_WALLET_IDENTITIES",
        "/v1/marketplace/prediction/venue-a/wallet/identities",
        "{\"addresses\":[\"0xd8da6bf26964af9d7eed9e03e53415d37aa96045\"]}");

    assertNothingIsRefused();
  }

  @Test
  void everyKindOfLanguageCallAsksWhatItsVendorKnows() {
    JsonNode models = shop.get("models", "/v1/models").json().path("data");
    for (JsonNode model : models) {
      String id = model.path("id").asText();
      if (id.startsWith("auto") || id.contains("/")) {
        continue;
      }
      messages(id);
      chat(id);
      responses(id);
    }

    assertNothingIsRefused();
  }

  private static final String PIXEL =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  private static final String SCHEMA =
      "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},\"required\":[\"city\"],"
          + "\"additionalProperties\":false}";

  private void messages(String model) {
    String tools = "\"tools\":[{\"name\":\"weather\",\"input_schema\":" + SCHEMA + "}]";
    String said = "\"messages\":[{\"role\":\"user\",\"content\":\"echo: yes\"}]";
    Map<String, String> variants = new LinkedHashMap<>();
    variants.put("plain", said);
    variants.put("stream", said + ",\"stream\":true");
    variants.put("system", said + ",\"system\":\"Be brief\"");
    variants.put(
        "cached system",
        said
            + ",\"system\":[{\"type\":\"text\",\"text\":\"x\",\"cache_control\":{\"type\":\"ephemeral\"}}]");
    variants.put("temperature", said + ",\"temperature\":0.5");
    variants.put("top_p", said + ",\"top_p\":0.5");
    variants.put("top_k", said + ",\"top_k\":5");
    variants.put("stop", said + ",\"stop_sequences\":[\"x\"]");
    variants.put("metadata", said + ",\"metadata\":{\"user_id\":\"user-17\"}");
    variants.put("budget", said + ",\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":1024}");
    variants.put("adaptive", said + ",\"thinking\":{\"type\":\"adaptive\"}");
    variants.put("no thinking", said + ",\"thinking\":{\"type\":\"disabled\"}");
    variants.put("tools", said + "," + tools);
    for (String choice : List.of("auto", "any", "none")) {
      variants.put(
          "tools " + choice, said + "," + tools + ",\"tool_choice\":{\"type\":\"" + choice + "\"}");
    }
    variants.put(
        "one tool",
        said
            + ","
            + tools
            + ",\"tool_choice\":{\"type\":\"tool\",\"name\":\"weather\",\"disable_parallel_tool_use\":true}");
    variants.put(
        "schema",
        said
            + ",\"output_config\":{\"format\":{\"type\":\"json_schema\",\"schema\":"
            + SCHEMA
            + "}}");
    variants.put(
        "picture",
        "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image\",\"source\":{\"type\":\"base64\","
            + "\"media_type\":\"image/png\",\"data\":\""
            + PIXEL
            + "\"}},{\"type\":\"text\",\"text\":\"what?\"}]}]");
    variants.put(
        "tool result",
        tools
            + ",\"messages\":[{\"role\":\"user\",\"content\":\"use weather\"},{\"role\":\"assistant\",\"content\":"
            + "[{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"weather\",\"input\":{\"city\":\"Kassel\"}}]},"
            + "{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_1\","
            + "\"content\":\"Rain\"}]}]");
    variants.forEach(
        (name, members) ->
            shop.post(
                model + " by messages, " + name,
                "/v1/messages",
                "{\"model\":\"" + model + "\",\"max_tokens\":2048," + members + "}"));
  }

  private void chat(String model) {
    String tools =
        "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"weather\",\"description\":\"w\",\"parameters\":"
            + SCHEMA
            + "}}]";
    String said = "\"messages\":[{\"role\":\"user\",\"content\":\"echo: yes\"}]";
    Map<String, String> variants = new LinkedHashMap<>();
    variants.put("plain", said);
    variants.put("stream", said + ",\"stream\":true");
    variants.put(
        "stream usage", said + ",\"stream\":true,\"stream_options\":{\"include_usage\":true}");
    variants.put("max_tokens", said + ",\"max_tokens\":100");
    variants.put("max_completion_tokens", said + ",\"max_completion_tokens\":100");
    variants.put("few tokens", said + ",\"max_completion_tokens\":1");
    variants.put("temperature", said + ",\"temperature\":0.5");
    variants.put("hot", said + ",\"temperature\":2");
    variants.put("top_p", said + ",\"top_p\":0.5");
    variants.put("seed", said + ",\"seed\":7");
    variants.put("stop", said + ",\"stop\":[\"x\",\"y\"]");
    variants.put("one stop", said + ",\"stop\":\"x\"");
    variants.put("penalties", said + ",\"frequency_penalty\":0.5,\"presence_penalty\":0.5");
    variants.put("user", said + ",\"user\":\"user-17\"");
    for (String effort : List.of("none", "minimal", "low", "medium", "high", "xhigh")) {
      variants.put("effort " + effort, said + ",\"reasoning_effort\":\"" + effort + "\"");
    }
    variants.put("verbosity", said + ",\"verbosity\":\"low\"");
    variants.put("json", said + ",\"response_format\":{\"type\":\"json_object\"}");
    variants.put(
        "schema",
        said
            + ",\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"c\",\"strict\":true,\"schema\":"
            + SCHEMA
            + "}}");
    variants.put("tools", said + "," + tools);
    for (String choice : List.of("auto", "required", "none")) {
      variants.put("tools " + choice, said + "," + tools + ",\"tool_choice\":\"" + choice + "\"");
    }
    variants.put(
        "one tool",
        said
            + ","
            + tools
            + ",\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"weather\"}},\"parallel_tool_calls\":false");
    variants.put(
        "developer",
        "\"messages\":[{\"role\":\"developer\",\"content\":\"Be brief\"},{\"role\":\"user\",\"content\":\"hi\"}]");
    variants.put(
        "system",
        "\"messages\":[{\"role\":\"system\",\"content\":\"Be brief\"},{\"role\":\"user\",\"content\":\"hi\"}]");
    variants.put(
        "picture",
        "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"what?\"},{\"type\":\"image_url\","
            + "\"image_url\":{\"url\":\"data:image/png;base64,"
            + PIXEL
            + "\"}}]}]");
    variants.put(
        "tool result",
        tools
            + ",\"messages\":[{\"role\":\"user\",\"content\":\"use weather\"},{\"role\":\"assistant\",\"tool_calls\":"
            + "[{\"id\":\"call_1\",\"type\":\"function\",\"function\":{\"name\":\"weather\",\"arguments\":\"{}\"}}]},"
            + "{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"Rain\"}]");
    variants.put(
        "an answer given back",
        "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"},{\"role\":\"assistant\",\"content\":\"Hello\","
            + "\"refusal\":null},{\"role\":\"user\",\"content\":\"echo: yes\"}]");
    variants.forEach(
        (name, members) ->
            shop.post(
                model + " by chat, " + name,
                "/v1/chat/completions",
                "{\"model\":\"" + model + "\"," + members + "}"));
  }

  private void responses(String model) {
    String tools =
        "\"tools\":[{\"type\":\"function\",\"name\":\"weather\",\"strict\":false,\"parameters\":"
            + SCHEMA
            + "}]";
    String said = "\"input\":\"echo: yes\"";
    Map<String, String> variants = new LinkedHashMap<>();
    variants.put("plain", said);
    variants.put("stream", said + ",\"stream\":true");
    variants.put("instructions", said + ",\"instructions\":\"Be brief\"");
    variants.put("max_output_tokens", said + ",\"max_output_tokens\":100");
    variants.put("few tokens", said + ",\"max_output_tokens\":1");
    variants.put("temperature", said + ",\"temperature\":0.5");
    variants.put("top_p", said + ",\"top_p\":0.5");
    variants.put("store", said + ",\"store\":false");
    for (String effort : List.of("none", "minimal", "low", "medium", "high", "xhigh")) {
      variants.put("effort " + effort, said + ",\"reasoning\":{\"effort\":\"" + effort + "\"}");
    }
    variants.put("summary", said + ",\"reasoning\":{\"effort\":\"low\",\"summary\":\"auto\"}");
    variants.put("verbosity", said + ",\"text\":{\"verbosity\":\"low\"}");
    variants.put("json", said + ",\"text\":{\"format\":{\"type\":\"json_object\"}}");
    variants.put(
        "schema",
        said
            + ",\"text\":{\"format\":{\"type\":\"json_schema\",\"name\":\"c\",\"strict\":true,\"schema\":"
            + SCHEMA
            + "}}");
    variants.put("tools", said + "," + tools);
    for (String choice : List.of("auto", "required", "none")) {
      variants.put("tools " + choice, said + "," + tools + ",\"tool_choice\":\"" + choice + "\"");
    }
    variants.put(
        "one tool",
        said + "," + tools + ",\"tool_choice\":{\"type\":\"function\",\"name\":\"weather\"}");
    variants.put("serial", said + "," + tools + ",\"parallel_tool_calls\":false");
    variants.put("metadata", said + ",\"metadata\":{\"a\":\"b\"}");
    variants.put("user", said + ",\"user\":\"user-17\"");
    variants.put(
        "picture",
        "\"input\":[{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"what?\"},"
            + "{\"type\":\"input_image\",\"image_url\":\"data:image/png;base64,"
            + PIXEL
            + "\"}]}]");
    variants.put(
        "tool result",
        tools
            + ",\"input\":[{\"role\":\"user\",\"content\":\"use weather\"},{\"type\":\"function_call\",\"call_id\":\"call_1\","
            + "\"name\":\"weather\",\"arguments\":\"{}\"},{\"type\":\"function_call_output\",\"call_id\":\"call_1\","
            + "\"output\":\"Rain\"}]");
    variants.forEach(
        (name, members) ->
            shop.post(
                model + " by responses, " + name,
                "/v1/responses",
                "{\"model\":\"" + model + "\"," + members + "}"));
  }

  @Test
  void everyKindOfPictureAsksWhatItsVendorKnows() throws IOException {
    for (String model :
        List.of(
            "provider-a/image-1",
            "provider-a/image-2",
            "provider-b/image-std",
            "provider-b/image-pro",
            "provider-c/image-flex",
            "provider-d/image",
            "provider-d/image-pro")) {
      Map<String, String> variants = new LinkedHashMap<>();
      variants.put("plain", "");
      variants.put("two", ",\"n\":2");
      variants.put("b64_json", ",\"response_format\":\"b64_json\"");
      variants.put("user", ",\"user\":\"user-17\"");
      variants.put("partial", ",\"stream\":true,\"partial_images\":1");
      for (String word : List.of("standard", "hd", "low", "medium", "high", "auto")) {
        variants.put("quality " + word, ",\"quality\":\"" + word + "\"");
      }
      for (String size :
          List.of(
              "auto", "512x512", "1024x1024", "1536x1024", "1024x1536", "2048x2048", "4096x4096")) {
        variants.put("size " + size, ",\"size\":\"" + size + "\"");
      }
      for (String word : List.of("opaque", "transparent", "auto")) {
        variants.put("background " + word, ",\"background\":\"" + word + "\"");
      }
      variants.put("jpeg", ",\"output_format\":\"jpeg\",\"output_compression\":50");
      variants.put("moderation", ",\"moderation\":\"low\"");
      variants.put("fidelity", ",\"input_fidelity\":\"high\"");
      variants.put("watermark", ",\"watermark\":false");
      variants.forEach(
          (name, members) ->
              shop.post(
                  model + ", " + name,
                  "/v1/images/generations",
                  "{\"model\":\"" + model + "\",\"prompt\":\"a red door\"" + members + "}"));
    }
    for (String field :
        List.of("", "input_fidelity=high", "quality=low", "background=opaque", "n=2")) {
      shop.post(
          "edit " + field,
          "/v1/images/edits",
          "multipart/form-data; boundary=b",
          edit("provider-a/image-2", field));
    }

    assertNothingIsRefused();
  }

  private static byte[] edit(String model, String field) throws IOException {
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(64, 64, BufferedImage.TYPE_INT_ARGB), "png", png);
    ByteArrayOutputStream form = new ByteArrayOutputStream();
    List<String> fields = new ArrayList<>(List.of("model=" + model, "prompt=a red door"));
    if (!field.isEmpty()) {
      fields.add(field);
    }
    for (String one : fields) {
      String[] sides = one.split("=", 2);
      text(
          form,
          "--b\r\nContent-Disposition: form-data; name=\""
              + sides[0]
              + "\"\r\n\r\n"
              + sides[1]
              + "\r\n");
    }
    for (String name : List.of("image", "mask")) {
      text(
          form,
          "--b\r\nContent-Disposition: form-data; name=\""
              + name
              + "\"; filename=\"x.png\"\r\nContent-Type: image/png\r\n\r\n");
      form.writeBytes(png.toByteArray());
      text(form, "\r\n");
    }
    text(form, "--b--\r\n");
    return form.toByteArray();
  }

  private static void text(ByteArrayOutputStream form, String text) {
    form.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void everyKindOfTrackAsksWhatItsVendorKnows() {
    for (String members :
        List.of(
            "",
            ",\"lyrics\":\"La la\"",
            ",\"instrumental\":true",
            ",\"instrumental\":false",
            ",\"duration_seconds\":5")) {
      shop.post(
          "track" + members,
          "/v1/audio/generations",
          "{\"model\":\"provider-e/music-2.5\",\"prompt\":\"slow, 3 seconds\"" + members + "}");
    }

    assertNothingIsRefused();
  }

  @Test
  void everyKindOfPhoneAndVoiceCallAsksWhatItsVendorKnows() {
    shop.stayOnePayer();
    String phone = "/v1/marketplace/phone";
    shop.post("lookup", phone + "/lookup", "{\"phoneNumber\":\"+14155550123\"}");
    shop.post("fraud", phone + "/lookup/fraud", "{\"phoneNumber\":\"+14155550123\"}");
    JsonNode lease =
        shop.post("buy", phone + "/numbers/buy", "{\"country\":\"US\",\"areaCode\":\"425\"}")
            .json();
    String number = lease.path("phone_number").asText();
    shop.post("buy anywhere", phone + "/numbers/buy", "{\"country\":\"CA\"}");
    shop.post("list", phone + "/numbers/list", "{}");
    shop.post("renew", phone + "/numbers/renew", "{\"phoneNumber\":\"" + number + "\"}");
    shop.post(
        "sms",
        phone + "/sms/send",
        "{\"from\":\"" + number + "\",\"to\":\"+14155550199\",\"body\":\"hi\",\"message\":\"hi\"}");
    String voice = "/v1/marketplace/voice/call";
    String call =
        shop.post(
                "call",
                voice,
                "{\"to\":\"+14155550106\",\"from\":\""
                    + number
                    + "\",\"task\":\"Say hello\",\"max_duration\":30,\"first_sentence\":\"Hi\","
                    + "\"wait_for_greeting\":false}")
            .json()
            .path("call_id")
            .asText();
    shop.post(
        "plain call",
        voice,
        "{\"to\":\"+14155550123\",\"from\":\"" + number + "\",\"task\":\"Say hello\"}");
    shop.get("call record", voice + "/" + call);
    shop.post(
        "transfer", voice + "/transfer", "{\"call_id\":\"" + call + "\",\"to\":\"+14155550199\"}");
    shop.post("end", voice + "/end", "{\"call_id\":\"" + call + "\"}");
    shop.post("release", phone + "/numbers/release", "{\"phoneNumber\":\"" + number + "\"}");

    assertThat(number).startsWith("+1425");
    assertThat(call).isNotEmpty();
    assertNothingIsRefused();
  }

  @Test
  void everyKindOfSearchAsksWhatItsVendorKnows() {
    String base = "/v1/marketplace/websearch";
    for (String members :
        List.of(
            "",
            ",\"numResults\":1",
            ",\"numResults\":100",
            ",\"startPublishedDate\":\"2026-01-02\"",
            ",\"startPublishedDate\":\"2026-01-02T03:04:05Z\",\"endPublishedDate\":\"2026-06-02\"")) {
      shop.post("search" + members, base + "/search", "{\"query\":\"tea\"" + members + "}");
    }
    for (String category :
        List.of(
            "company",
            "research paper",
            "news",
            "pdf",
            "github",
            "linkedin profile",
            "financial report")) {
      shop.post(
          "search for " + category,
          base + "/search",
          "{\"query\":\"tea\",\"category\":\"" + category + "\"}");
      shop.post(
          "dated search for " + category,
          base + "/search",
          "{\"query\":\"tea\",\"category\":\""
              + category
              + "\",\"startPublishedDate\":\"2026-01-02\"}");
    }
    String url = "https://harbour-times.example/2026/07/tidal-barge";
    shop.post("similar", base + "/find-similar", "{\"url\":\"" + url + "\",\"numResults\":3}");
    shop.post("contents", base + "/contents", "{\"ids\":[\"" + url + "\"]}");
    shop.post("highlights", base + "/highlights", "{\"query\":\"tide\",\"ids\":[\"" + url + "\"]}");
    shop.post("answer", base + "/answer", "{\"query\":\"What is a tidal barge?\"}");
    shop.post("smart search", "/v1/search", "{\"query\":\"What is a tidal barge?\"}");

    assertNothingIsRefused();
  }

  private void assertNothingIsRefused() {
    assertThat(shop.refused()).as("what the vendors' contracts refuse").isEmpty();
  }
}
