package dev.octroi.services.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.web.PageFetcher.Fetched;
import dev.octroi.services.web.PageReader.ReadablePage;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageReaderTest {

  private static final URI URL = URI.create("https://a.example/dir/page");

  /** Far from it, on a slow machine too: what is slow here is so without end. */
  private static final Duration SOON = Duration.ofSeconds(20);

  private static Fetched.Page page(String html) {
    return new Fetched.Page(
        URL, true, Optional.of(StandardCharsets.UTF_8), html.getBytes(StandardCharsets.UTF_8));
  }

  private static String markdown(String html) {
    return PageReader.read(page(html)).markdown();
  }

  @Test
  @Tag("spec:decision.web_fetch.markdown")
  void whatIsWorthReadingIsWrittenAsMarkdown() {
    ReadablePage page =
        PageReader.read(
            page(
                """
                <html><head><title>Tea &amp; rain</title>
                <meta property="article:published_time" content="2026-03-01T10:00:00Z">
                <script>alert('x')</script></head>
                <body><header>Site</header><nav><a href="/">Home</a></nav>
                <article><h1>Tea</h1><p>Tea is <b>hot</b>, and <a href="../rain">rain</a> is
                not.</p><ul><li>black</li><li>green<ol><li>early</li><li>late</li></ol></li></ul>
                <pre><code class="language-java">int a = 1;
                </code></pre><blockquote><p>Drink.</p></blockquote>
                <table><tr><th>Kind</th><th>Minutes</th></tr><tr><td>a|b</td><td>3</td></tr></table>
                </article><footer>Imprint</footer></body></html>
                """));
    assertThat(page.title()).isEqualTo("Tea & rain");
    assertThat(page.published()).contains("2026-03-01T10:00:00Z");
    assertThat(page.markdown())
        .isEqualTo(
            """
            # Tea

            Tea is **hot**, and [rain](https://a.example/rain) is not.

            - black
            - green
              1. early
              2. late

            ```java
            int a = 1;
            ```

            > Drink.

            | Kind | Minutes |
            | --- | --- |
            | a\\|b | 3 |\
            """
                .stripIndent());
  }

  @Test
  @Tag("spec:decision.web_fetch.markdown")
  void withoutMarksThePartWithTheMostTextIsRead() {
    String text = "Running text of some length about the matter at hand. ".repeat(8);
    String html =
        "<div id=menu><p><a href=/1>One</a></p><p><a href=/2>Two</a></p></div><div id=text><p>"
            + text
            + "</p><p>"
            + text
            + "</p></div><div><p>Buy now</p></div>";
    assertThat(markdown(html)).startsWith("Running text").doesNotContain("Buy now", "One");
  }

  @Test
  @Tag("spec:decision.web_fetch.markdown")
  void textThatLooksLikeMarkdownIsEscaped() {
    assertThat(markdown("<p># not *a* [link](x) &lt;b&gt; snake_case _under_</p>"))
        .isEqualTo("\\# not \\*a\\* \\[link\\](x) \\<b> snake_case \\_under\\_");
  }

  @Test
  void linksThatRunSomethingAreText() {
    assertThat(markdown("<p><a href=\"javascript:alert(1)\">here</a></p>")).isEqualTo("here");
  }

  @Test
  void hiddenTextIsNotRead() {
    assertThat(markdown("<p>Seen</p><p hidden>Hidden</p><div aria-hidden=true>Hidden</div>"))
        .isEqualTo("Seen");
  }

  @Test
  void plainTextIsAsItIs() {
    byte[] body = "# Title\n\ntext *as* it is\n".getBytes(StandardCharsets.UTF_8);
    ReadablePage page = PageReader.read(new Fetched.Page(URL, false, Optional.empty(), body));
    assertThat(page.markdown()).isEqualTo("# Title\n\ntext *as* it is");
  }

  @Test
  @Tag("spec:decision.web_fetch.limits")
  void nestingHasNoPowerOverTheReader() {
    String deep = "<div><blockquote><ul><li>".repeat(20_000) + "core";
    assertThat(markdown(deep)).contains("core");
  }

  @Test
  @Tag("spec:decision.web_fetch.limits")
  void aSmallPageCannotBecomeALargeText() {
    String base = "https://a.example/" + "x".repeat(1_900) + "/";
    String html = "<base href=\"" + base + "\"><p>" + "<a href=y>z</a> ".repeat(20_000);
    assertThat(markdown(html).length()).isLessThan(2 << 20);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "p:matches(^(?:(a+)+\\1?)+c)",
        "[class~=^(?:(a+)+\\1?)+c]",
        "p:has(:has(b))",
        "i ~ p",
        "p:nth-child(3)",
        "[id=\"]:matches(^(?:(a+)+\\1?)+c)\"]",
        "* * * * * * * * * * *"
      })
  void aSelectorThatTakesAPatternOrTheSquareOfAPageIsRefused(String css) {
    Fetched.Page page = page("<p class=" + "a".repeat(60) + "b>" + "a".repeat(60) + "b");
    assertTimeoutPreemptively(
        SOON,
        () ->
            assertThatThrownBy(() -> PageReader.read(page, Optional.of(css), Optional.empty()))
                .isInstanceOfSatisfying(
                    Failure.class,
                    failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "#a",
        "p.b#a",
        "div > p.b",
        "i, p[id]",
        "* p[id=a]",
        "[id^='a']",
        "p[class*=\"b\"]",
        "div p"
      })
  void aSelectorOfNamesClassesIdsAndAttributesIsTaken(String css) {
    Fetched.Page page = page("<div><p id=a class=b>One</p></div>");
    assertThat(PageReader.read(page, Optional.of(css), Optional.empty()).markdown())
        .isEqualTo("One");
  }

  @Test
  void whatLiesWithinAChosenPartIsThereOnce() {
    Fetched.Page page = page("<div>".repeat(250) + "<b>x</b>".repeat(10_000));
    assertThat(PageReader.read(page, Optional.of("div, b"), Optional.empty()).markdown())
        .isEqualTo("**x**".repeat(10_000));
  }

  @Test
  @Tag("spec:decision.web_fetch.limits")
  void aPageOfBackticksTakesNoTime() {
    String code = "`".repeat(1 << 20);
    assertTimeoutPreemptively(
        SOON, () -> assertThat(markdown("<pre>" + code).length()).isGreaterThan(2 << 20));
  }

  @Test
  @Tag("spec:decision.web_fetch.limits")
  void aPageOfWhatIsTakenOutTakesNoTime() {
    String html = "<p>core" + "<nav hidden></nav>x".repeat(300_000);
    assertTimeoutPreemptively(SOON, () -> assertThat(markdown(html)).startsWith("core\n\nxxx"));
  }

  @Test
  void aPartCanBeChosen() {
    Fetched.Page page = page("<p id=a>One</p><p class=b>Two</p><p class=b>Three <i>x</i></p>");
    assertThat(PageReader.read(page, Optional.of(".b"), Optional.of("i")).markdown())
        .isEqualTo("Two\n\nThree");
    assertThatThrownBy(() -> PageReader.read(page, Optional.of("p["), Optional.empty()))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS));
  }
}
