package dev.octroi.services.websearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.upstream.WireServer;
import dev.octroi.services.web.LoopbackWeb;
import dev.octroi.services.web.PageFetcher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FetchedContentsTest {

  private static final String PAGE =
      "<title>Tea</title><meta name=date content=2026-01-02><h1>Tea</h1><p>It is hot.</p>";

  private static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(20));
  }

  private static WireServer server() throws IOException {
    return WireServer.start(
        (request, wire) ->
            wire.answer(
                request.target().equals("/tea") ? 200 : 404,
                "Content-Type: text/html\r\n",
                PAGE.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  @Tag("spec:decision.web_fetch.own")
  void pagesThatAreThereHaveTheStatedRecord() throws IOException {
    try (WireServer server = server();
        PageFetcher pages = LoopbackWeb.on(server.base().getPort())) {
      String base = "http://a.example:" + server.base().getPort();
      List<String> urls = List.of(base + "/coffee", base + "/tea#top", base + "/tea#top");
      String answer =
          new String(
              new FetchedContents(pages).contents(urls, soon()).body(), StandardCharsets.UTF_8);
      assertThat(answer)
          .isEqualTo(
              "{\"results\":[{\"id\":\"@/tea#top\",\"url\":\"@/tea\",\"title\":\"Tea\",\"text\":"
                      .replace("@", base)
                  + "\"# Tea\\n\\nIt is hot.\",\"publishedDate\":\"2026-01-02\"}]}");
    }
  }

  @Test
  @Tag("spec:error.websearch.url_unreachable")
  void ifNoneIsThereTheCallFails() throws IOException {
    try (WireServer server = server();
        PageFetcher pages = LoopbackWeb.on(server.base().getPort())) {
      List<String> urls = List.of("http://a.example:" + server.base().getPort() + "/coffee");
      assertThatThrownBy(() -> new FetchedContents(pages).contents(urls, soon()))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.URL_UNREACHABLE));
    }
  }

  @Test
  void aPageWithoutAWordIsNotSold() throws IOException {
    byte[] page = "<title>App</title><div id=app></div>".getBytes(StandardCharsets.UTF_8);
    try (WireServer server =
            WireServer.start(
                (request, wire) -> wire.answer(200, "Content-Type: text/html\r\n", page));
        PageFetcher pages = LoopbackWeb.on(server.base().getPort())) {
      List<String> urls = List.of("http://a.example:" + server.base().getPort() + "/");
      assertThatThrownBy(() -> new FetchedContents(pages).contents(urls, soon()))
          .isInstanceOf(Failure.class);
    }
  }

  @Test
  @Tag("spec:decision.web_fetch.limits")
  void aHundredLongPagesAreNoAnswerOfAHundredTimesTheirLength() throws IOException {
    byte[] page = "tea ".repeat(250_000).getBytes(StandardCharsets.UTF_8);
    try (WireServer server =
            WireServer.start(
                (request, wire) -> wire.answer(200, "Content-Type: text/plain\r\n", page));
        PageFetcher pages = LoopbackWeb.on(server.base().getPort())) {
      String base = "http://a.example:" + server.base().getPort() + "/";
      List<String> urls = IntStream.range(0, 20).mapToObj(at -> base + at).toList();
      byte[] answer = new FetchedContents(pages).contents(urls, soon()).body();
      assertThat(answer.length).isBetween(7_000_000, 9_000_000);
    }
  }
}
