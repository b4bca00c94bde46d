package dev.octroi.services.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.Reads;
import dev.octroi.services.upstream.WireServer;
import dev.octroi.services.web.LoopbackWeb;
import dev.octroi.services.web.PageFetcher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnWebFetchTest {

  private static final Answer OTHERS = Answer.json(200, new byte[0]);

  private WireServer server;
  private PageFetcher pages;
  private Reads reads;

  @BeforeEach
  void serve() throws IOException {
    server =
        WireServer.start(
            (request, wire) ->
                wire.answer(
                    request.target().equals("/") ? 200 : 404,
                    "Content-Type: text/html\r\n",
                    "<title>Tea</title><p id=a>Hot.</p><p id=b>Wet.</p>"
                        .getBytes(StandardCharsets.UTF_8)));
    pages = LoopbackWeb.on(server.base().getPort());
    reads = new OwnWebFetch((row, path, query, deadline) -> OTHERS, pages);
  }

  @AfterEach
  void stop() throws IOException {
    pages.close();
    server.close();
  }

  private String url(String path) {
    return "http://a.example:" + server.base().getPort() + path;
  }

  private Answer read(CryptoDataRead row, Map<String, String> query) {
    Map<String, List<String>> lists = new HashMap<>();
    query.forEach((name, value) -> lists.put(name, List.of(value)));
    return reads.read(row, Map.of(), lists, Deadline.in(Duration.ofSeconds(20)));
  }

  @Test
  @Tag("spec:decision.web_fetch.own")
  void aPageIsAnsweredInTheVendorsForm() {
    String body =
        new String(
            read(CryptoDataRead.WEB_FETCH, Map.of("url", url("/"))).body(), StandardCharsets.UTF_8);
    assertThat(body)
        .isEqualTo(
            "{\"data\":{\"content\":\"Hot.\\n\\nWet.\",\"title\":\"Tea\",\"url\":\""
                + url("/")
                + "\"},\"meta\":{\"cached\":false,\"credits_used\":0,\"empty_reason\":\"\"}}");
  }

  @Test
  void theVendorsSelectorsWorkToo() {
    Map<String, String> query = Map.of("url", url("/"), "remove_selector", "#a");
    assertThat(read(CryptoDataRead.WEB_FETCH, query).body()).asString().contains("\"Wet.\"");
  }

  @Test
  @Tag("spec:error.crypto.invalid_params")
  void aPageWithoutAWordIsNotSold() {
    Map<String, String> query = Map.of("url", url("/"), "target_selector", "#none");
    assertThatThrownBy(() -> read(CryptoDataRead.WEB_FETCH, query))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS));
  }

  @ParameterizedTest
  @CsvSource({"/missing, does not answer with a page", "'', http or https"})
  @Tag("spec:error.crypto.invalid_params")
  void whatCannotBeFetchedIsInvalid(String path, String message) {
    String url = path.isEmpty() ? "nonsense" : url(path);
    assertThatThrownBy(() -> read(CryptoDataRead.WEB_FETCH, Map.of("url", url)))
        .hasMessageContaining(message)
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS));
  }

  @Test
  void everyOtherReadIsTheVendors() {
    assertThat(read(CryptoDataRead.MARKET_ETF, Map.of())).isSameAs(OTHERS);
    assertThat(server.requests()).isEmpty();
  }
}
