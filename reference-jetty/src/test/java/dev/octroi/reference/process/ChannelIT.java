package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The published client of channels, unmodified, pays the built jar in sandbox money. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("spec:x402.client.typescript")
class ChannelIT {

  private static final String READ = "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT";

  private Running gateway;
  private URI base;

  @BeforeAll
  void installTheClientAndServe(@TempDir Path data) throws Exception {
    NodeClients.install();
    gateway =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString())
            .set("gateway.payments.channels.offered", "true")
            .start();
    base = gateway.awaitReady();
  }

  @AfterAll
  void stop() {
    if (gateway != null) {
      gateway.close();
    }
  }

  @Test
  void severalCallsArePaidOutOfOneDeposit() throws Exception {
    List<JsonNode> results = run("pay", "pay", "pay");

    results.forEach(
        result -> assertThat(result.path("status").asInt()).as("%s", result).isEqualTo(200));
    JsonNode first = results.get(0).path("receipt");
    long price = first.at("/extra/chargedAmount").asLong();
    assertThat(price).isPositive();
    assertThat(first.path("transaction").asText()).startsWith("sandbox:");
    assertThat(first.path("amount").asLong()).isEqualTo(5 * price);
    JsonNode last = results.get(2).path("receipt");
    assertThat(last.path("transaction").asText()).isEmpty();
    assertThat(last.path("amount").asText()).isEmpty();
    assertThat(last.at("/extra/channelState/chargedCumulativeAmount").asLong())
        .isEqualTo(3 * price);
    assertThat(last.at("/extra/channelState/channelId"))
        .isEqualTo(first.at("/extra/channelState/channelId"));
    assertThat(results.get(2).path("body").asText()).contains("\"price\"");
  }

  @Test
  void aChannelThatIsUsedUpIsFilledAgain() throws Exception {
    List<JsonNode> results = run("pay", "pay", "pay", "pay", "pay", "pay");

    results.forEach(
        result -> assertThat(result.path("status").asInt()).as("%s", result).isEqualTo(200));
    assertThat(results.get(4).at("/receipt/transaction").asText()).isEmpty();
    assertThat(results.get(5).at("/receipt/transaction").asText()).startsWith("sandbox:");
  }

  @Test
  void aPayerHasSeveralChannelsBySalt() throws Exception {
    List<JsonNode> results = run("pay", "salt:7", "pay", "pay");

    String one = channel(results.get(0));
    String other = channel(results.get(2));
    assertThat(one).isNotEqualTo(other);
    assertThat(results.get(3).at("/receipt/extra/channelState/chargedCumulativeAmount").asLong())
        .isEqualTo(2 * results.get(0).at("/receipt/extra/chargedAmount").asLong());
  }

  private static String channel(JsonNode result) {
    assertThat(result.path("status").asInt()).as("%s", result).isEqualTo(200);
    return result.at("/receipt/extra/channelState/channelId").asText();
  }

  /** It lost what it knew: the challenge tells it, and it checks its own signature there. */
  @Test
  void aClientThatForgotRecoversByItself() throws Exception {
    List<JsonNode> results = run("pay", "pay", "forget", "pay");

    assertThat(channel(results.get(3))).isEqualTo(channel(results.get(0)));
    assertThat(results.get(3).at("/receipt/extra/channelState/chargedCumulativeAmount").asLong())
        .isEqualTo(3 * results.get(0).at("/receipt/extra/chargedAmount").asLong());
  }

  @Test
  void ofTwoCallsAtOnceOneAtLeastIsPaidAndNoneTwice() throws Exception {
    List<JsonNode> results = run("pay", "twice", "forget", "pay");

    long price = results.get(0).at("/receipt/extra/chargedAmount").asLong();
    List<Integer> statuses = new ArrayList<>();
    results.get(1).forEach(result -> statuses.add(result.path("status").asInt()));
    assertThat(statuses).as("%s", results.get(1)).contains(200).isSubsetOf(200, 402, 409);
    long paid = statuses.stream().filter(status -> status == 200).count();
    assertThat(results.get(3).at("/receipt/extra/channelState/chargedCumulativeAmount").asLong())
        .as("%s", results)
        .isEqualTo((2 + paid) * price);
  }

  @Test
  void whatIsLeftIsHadBack() throws Exception {
    List<JsonNode> results = run("pay", "refund:1000", "refund", "refund");

    long price = results.get(0).at("/receipt/extra/chargedAmount").asLong();
    JsonNode part = results.get(1);
    assertThat(part.path("success").asBoolean()).as("%s", results).isTrue();
    assertThat(part.path("amount").asLong()).isEqualTo(1000);
    JsonNode rest = results.get(2);
    assertThat(rest.path("transaction").asText()).startsWith("sandbox:");
    assertThat(rest.path("amount").asLong()).isEqualTo(4 * price - 1000);
    assertThat(rest.at("/extra/channelState/balance").asLong()).isEqualTo(price);
    assertThat(results.get(3).path("refused").asText()).contains("refund_no_balance");
  }

  private List<JsonNode> run(String... steps) throws Exception {
    List<String> command = new ArrayList<>(List.of("channel.mjs", base + READ));
    command.addAll(List.of(steps));
    List<JsonNode> results = new ArrayList<>();
    NodeClients.run(Map.of(), command).path("results").forEach(results::add);
    return results;
  }
}
