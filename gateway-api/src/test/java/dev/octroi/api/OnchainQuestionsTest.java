package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.payments.client.PaidAnswer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Questions about on-chain data with a vendor and a model that say what a test tells them to. */
class OnchainQuestionsTest {

  private static final String SCHEMA =
      """
      {"data":[{"database":"agent","table":"base_transfers","columns":[
      {"name":"block_date","type":"Date"},{"name":"amount","type":"Float64"}]}]}""";

  private static final String WRITTEN =
      """
      {"id":"1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,
      "message":{"role":"assistant","content":"Here: {\\"source\\":\\"agent.base_transfers\\",\
      \\"filters\\":[{\\"field\\":\\"amount\\",\\"op\\":\\"gte\\",\\"value\\":10.00}],\\"limit\\":99999}"},
      "finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":9}}""";

  private static final String BY_WORDS =
      "{\"source\":\"agent.base_transfers\",\"filters\":[{\"field\":\"amount\",\"op\":\"gt\",\"value\":10}],"
          + "\"limit\":20}";

  private final Map<String, String> settings = new HashMap<>();

  private static void ask(GatewayHost host) {
    host.vendor().says("/onchain/schema", 200, SCHEMA);
    host.vendor().says("/onchain/query", 200, "{\"data\":[]}");
    HttpRequest request =
        host.http()
            .request("/v1/marketplace/cryptodata/onchain/query")
            .header("Content-Type", "application/json")
            .POST(
                BodyPublishers.ofString(
                    "{\"question\":\"Base transfers, amount over 10\\nplease\"}"))
            .build();
    assertThat(GatewayHost.text(host.paid(request))).contains("\"data\":[]");
  }

  @Test
  @Tag("spec:request.crypto.onchain_query.question")
  void aModelReadsTheSchemaAndItsCheckedQueryGoesOut() {
    try (Vendor model = new Vendor()) {
      model.says("/chat/completions", 200, WRITTEN);
      settings.put("gateway.cryptodata.question-model", "gemini-3.5-flash-lite");
      settings.put("gateway.language.upstreams.google", model.base().toString());
      try (GatewayHost host = new GatewayHost(settings)) {
        ask(host);
        assertThat(host.vendor().bodies())
            .last()
            .isEqualTo(
                "{\"source\":\"agent.base_transfers\",\"filters\":[{\"field\":\"amount\","
                    + "\"op\":\"gte\",\"value\":10.00}],\"limit\":10000}");
        assertThat(model.bodies())
            .singleElement()
            .asString()
            .contains("Tables:\\nagent.base_transfers(block_date Date, amount Float64)\\nToday: 20")
            .contains("\\nQuestion: Base transfers, amount over 10 please\"");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"words", "auto/eco"})
  @Tag("spec:request.crypto.onchain_query.question")
  void aQuestionIsReadWordByWordWhereNoModelIsToReadIt(String setting) {
    try (Vendor model = new Vendor()) {
      settings.put("gateway.cryptodata.question-model", setting);
      if (setting.equals("words")) {
        settings.put("gateway.language.upstreams.google", model.base().toString());
      }
      try (GatewayHost host = new GatewayHost(settings)) {
        ask(host);
        assertThat(host.vendor().bodies()).last().isEqualTo(BY_WORDS);
        assertThat(model.bodies()).isEmpty();
      }
    }
  }

  /** A model of a vendor for which there is no credential is asked nothing. */
  @Test
  @Tag("spec:request.crypto.onchain_query.question")
  void aQuestionIsReadWordByWordWhereTheModelsVendorHasNoCredential() {
    settings.put("gateway.cryptodata.question-model", "gemini-3.5-flash-lite");
    settings.put("gateway.language.upstreams.google", "https://language.example/v1");
    settings.put(
        "gateway.sandbox.allow-live-upstreams-or-public-address-with-worthless-money", "true");
    try (GatewayHost host = new GatewayHost(settings)) {
      ask(host);
      assertThat(host.vendor().bodies()).last().isEqualTo(BY_WORDS);
    }
  }

  @Test
  @Tag("spec:request.crypto.onchain_query.source")
  void anUnknownSourceIsRefusedUnchargedAndListsTheKnownOnes() {
    try (GatewayHost host = new GatewayHost(settings)) {
      host.vendor().says("/onchain/schema", 200, SCHEMA);
      HttpRequest request =
          host.http()
              .request("/v1/marketplace/cryptodata/onchain/query")
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString("{\"question\":\"rows\",\"source\":\"a.b\"}"))
              .build();
      PaidAnswer answer = host.paid(request);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(GatewayHost.text(answer)).contains("base.transfers");
      assertThat(answer.receipt()).isNull();
    }
  }

  @Test
  void aModelThatIsNotThereFailsTheStart() {
    settings.put("gateway.cryptodata.question-model", "gpt-1");
    assertThatThrownBy(() -> new GatewayHost(settings))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("gateway.cryptodata.question-model: there is no model gpt-1");
  }
}
