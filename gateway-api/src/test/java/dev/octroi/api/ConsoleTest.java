package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The operator's console as a browser gets it. */
class ConsoleTest {

  private static final Pattern NAMED =
      Pattern.compile("(?:href|src)=\"console/([^\"]+)\"|from '[.]/([a-z]+[.]js)'");

  private static Admin admin;

  @BeforeAll
  static void start() {
    admin = new Admin(Map.of());
  }

  @AfterAll
  static void stop() {
    admin.close();
  }

  private static HttpResponse<String> get(String path) {
    return admin.host().http().get(path);
  }

  private static Stream<String> named(String text) {
    return NAMED.matcher(text).results().map(ConsoleTest::name);
  }

  private static String name(MatchResult found) {
    return found.group(1) == null ? found.group(2) : found.group(1);
  }

  @Test
  @Tag("spec:operator.console")
  void thePageAndAllThatItNamesAreServedUnderAStrictPolicy() {
    HttpResponse<String> page = get("/console");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Type").orElseThrow().replace(" ", ""))
        .isEqualTo("text/html;charset=utf-8");
    assertThat(page.body()).doesNotContain("<style", "style=", "onclick", "http://", "https://");
    List<String> files = named(page.body()).distinct().toList();
    assertThat(files).contains("main.js", "console.css", "chart.umd.js", "icon.svg");
    Stream.concat(files.stream(), named(get("/console/main.js").body()))
        .distinct()
        .forEach(ConsoleTest::isServed);
  }

  private static void isServed(String file) {
    HttpResponse<String> answer = get("/console/" + file);
    assertThat(answer.statusCode()).as(file).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'", "script-src 'self'", "style-src 'self'")
        .doesNotContain("unsafe", "http");
    assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-cache");
    if (file.endsWith(".js") && !file.equals("chart.umd.js")) {
      assertThat(answer.body()).doesNotContain("innerHTML", "insertAdjacentHTML", "eval(");
      named(answer.body())
          .forEach(
              next -> assertThat(get("/console/" + next).statusCode()).as(next).isEqualTo(200));
    }
  }

  @Test
  @Tag("spec:operator.console")
  void aFileThatTheBrowserHasIsNotSentAgain() {
    String tag = get("/console/console.css").headers().firstValue("ETag").orElseThrow();
    HttpResponse<String> again =
        admin
            .host()
            .http()
            .send(
                admin
                    .host()
                    .http()
                    .request("/console/console.css")
                    .header("If-None-Match", "\"other\", " + tag)
                    .build());
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(again.headers().firstValue("ETag")).hasValue(tag);
  }

  @Test
  @Tag("spec:operator.console")
  void nothingElseIsServedThereAndNothingIsTaken() {
    for (String path :
        List.of("/console/", "/console/Console.class", "/console/none.js", "/console/index.html")) {
      assertThat(get(path).statusCode()).as(path).isEqualTo(404);
    }
    assertThat(get("/console/..%2fpackage-info.class").statusCode()).isEqualTo(400);
    HttpResponse<String> posted =
        admin
            .host()
            .http()
            .send(
                admin
                    .host()
                    .http()
                    .request("/console")
                    .POST(BodyPublishers.ofString("token=x"))
                    .build());
    assertThat(posted.statusCode()).isEqualTo(405);
  }

  @Test
  @Tag("spec:operator.console")
  void withoutATokenOrSwitchedOffThereIsNoConsole() {
    try (GatewayHost bare = new GatewayHost(Map.of());
        Admin off = new Admin(Map.of("gateway.console.enabled", "false"))) {
      for (GatewayHost host : List.of(bare, off.host())) {
        assertThat(host.http().get("/console").statusCode()).isEqualTo(404);
        assertThat(host.http().get("/console/main.js").statusCode()).isEqualTo(404);
      }
    }
  }
}
