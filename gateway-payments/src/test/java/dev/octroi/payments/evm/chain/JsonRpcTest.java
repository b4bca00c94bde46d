package dev.octroi.payments.evm.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.octroi.payments.chain.RpcConnection.RpcAnswer;
import dev.octroi.payments.chain.RpcConnection.RpcCall;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class JsonRpcTest {

  private final List<ScriptedNode> nodes = new ArrayList<>();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeEach
  void listen() {
    log.start();
    ((Logger) LoggerFactory.getLogger(JsonRpc.class)).addAppender(log);
  }

  @AfterEach
  void stop() {
    ((Logger) LoggerFactory.getLogger(JsonRpc.class)).detachAppender(log);
    nodes.forEach(ScriptedNode::close);
  }

  private ScriptedNode node(ScriptedNode node) {
    nodes.add(node);
    return node;
  }

  @Test
  void theFirstNodeIsAskedWhileItAnswers() {
    ScriptedNode first = node(ScriptedNode.answering(ScriptedNode.result("\"0x1\"")));
    ScriptedNode second = node(ScriptedNode.answering(ScriptedNode.result("\"0x2\"")));
    JsonRpc rpc = Nodes.reading(first.url(), second.url());

    assertThat(rpc.read("eth_blockNumber").textValue()).isEqualTo("0x1");
    assertThat(second.asked).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 500, 401})
  void theNextOneIsAskedWhereANodeFailsAndThenFirst(int status) {
    ScriptedNode first = node(ScriptedNode.failing(status));
    ScriptedNode second = node(ScriptedNode.answering(ScriptedNode.result("\"0x2\"")));
    JsonRpc rpc = Nodes.reading(first.url(), second.url());

    assertThat(rpc.read("eth_blockNumber").textValue()).isEqualTo("0x2");
    assertThat(rpc.read("eth_blockNumber").textValue()).isEqualTo("0x2");
    assertThat(first.asked).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html>",
        "[]",
        "{}",
        "null",
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"error\":{\"code\":-32005,\"message\":\"too fast\"}}"
      })
  void whatIsNoResultIsNoAnswer(String answer) {
    ScriptedNode first = node(ScriptedNode.answering(answer));
    ScriptedNode second = node(ScriptedNode.answering(ScriptedNode.result("\"0x2\"")));

    assertThat(Nodes.reading(first.url(), second.url()).read("eth_blockNumber").textValue())
        .isEqualTo("0x2");
  }

  @Test
  void aNodeThatNeverEndsItsAnswerIsGivenUp() {
    ScriptedNode first = node(ScriptedNode.hanging());
    ScriptedNode second = node(ScriptedNode.answering(ScriptedNode.result("\"0x2\"")));
    JsonRpc rpc = Nodes.reading(Duration.ofSeconds(6), first.url(), second.url());

    assertThat(rpc.read("eth_blockNumber").textValue()).isEqualTo("0x2");
    assertThat(first.asked).hasValue(1);
  }

  @Test
  void anAnswerThatIsTooLongIsGivenUp() {
    ScriptedNode node =
        node(ScriptedNode.answering(ScriptedNode.result('"' + "a".repeat(9 << 20) + '"')));

    assertThatThrownBy(() -> Nodes.reading(node.url()).read("eth_getLogs"))
        .isInstanceOf(ChainUnavailable.class);
  }

  @Test
  void aNodeOfAnotherChainIsNeverBelieved() {
    ScriptedNode node = node(ScriptedNode.ofChain("0x1"));

    assertThatThrownBy(() -> Nodes.reading(node.url()).read("eth_blockNumber"))
        .isInstanceOf(ChainUnavailable.class)
        .hasMessageContaining("not a node of chain 8453");
    assertThat(node.asked).hasValue(0);
  }

  /** Its name may be given to another machine between two questions. */
  @Test
  @Tag("spec:money.5")
  void aNodeThatHasBecomeOneOfAnotherChainIsNotBelievedAnyMore() {
    ScriptedNode node = node(ScriptedNode.answering(ScriptedNode.result("\"0x2\"")));
    JsonRpc rpc = Nodes.reading(node.url());
    assertThat(rpc.read("eth_blockNumber").textValue()).isEqualTo("0x2");

    node.becomesOfChain("0x1");

    assertThatThrownBy(() -> rpc.read("eth_blockNumber"))
        .isInstanceOf(ChainUnavailable.class)
        .hasMessageContaining("not a node of chain 8453");
    assertThatThrownBy(() -> rpc.ask(RpcCall.of("eth_call")))
        .isInstanceOf(ChainUnavailable.class)
        .hasMessageContaining("not a node of chain 8453");
  }

  @Test
  void aRefusalIsAnAnswerToWhatIsSent() {
    String known =
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"error\":{\"code\":-32000,\"message\":\"already known\"}}";
    ScriptedNode node = node(ScriptedNode.answering(known));

    assertThat(Nodes.reading(node.url()).ask(RpcCall.of("eth_sendRawTransaction", "0x")))
        .isEqualTo(new RpcAnswer.Refused(-32000, "already known", MissingNode.getInstance()));
  }

  @Test
  void answersOfABatchMayComeInAnyOrder() {
    ScriptedNode node =
        node(
            ScriptedNode.answering(
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"0xb\"},"
                    + "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":\"0xa\"}]"));
    List<RpcCall> calls = List.of(RpcCall.of("eth_blockNumber"), RpcCall.of("eth_gasPrice"));

    assertThat(Nodes.reading(node.url()).read(calls))
        .containsExactly(TextNode.valueOf("0xa"), TextNode.valueOf("0xb"));
  }

  @Test
  void aNodesAddressIsInNoMessageAndNoLog() {
    ScriptedNode failing = node(ScriptedNode.failing(500));
    URI unreachable = URI.create("http://127.0.0.1:1/v2/secret-key");
    JsonRpc rpc = Nodes.reading(failing.url(), unreachable);

    assertThatThrownBy(() -> rpc.read("eth_blockNumber"))
        .isInstanceOf(ChainUnavailable.class)
        .hasMessageNotContaining("secret")
        .hasNoCause();
    assertThat(rpc.toString()).doesNotContain("secret").doesNotContain("127.0.0.1");
    assertThat(log.list).hasSize(2);
    assertThat(log.list)
        .allSatisfy(
            event ->
                assertThat(event.getFormattedMessage())
                    .doesNotContain("secret")
                    .doesNotContain("127.0.0.1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://node.example", "node.example", "https://me:word@node.example"})
  void anAddressThatCannotBeUsedIsRefusedAtOnce(String address) {
    URI url = URI.create(address);

    assertThatThrownBy(
            () ->
                new JsonRpc(HttpClient.newHttpClient(), List.of(url), 8453, Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("word@");
  }
}
