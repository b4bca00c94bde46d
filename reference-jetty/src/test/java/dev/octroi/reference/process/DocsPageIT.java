package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The documentation page of the built jar in a real browser; its pictures are kept. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocsPageIT {

  private JsonNode seen;

  @BeforeAll
  void look(@TempDir Path data) throws Exception {
    Browser.install();
    try (Running gateway =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString()).start()) {
      seen = Browser.run("docs.mjs", gateway.awaitReady().toString());
    }
  }

  @Test
  void itShowsEveryChapterAtPhoneAndDesktopWidthInLightAndDark() {
    assertThat(seen.path("tags").asInt()).isGreaterThan(10);
    assertThat(seen.path("looks")).hasSize(6);
    assertThat(seen.path("looks"))
        .allSatisfy(
            look -> assertThat(look.path("overflows").asBoolean()).as(look.toString()).isFalse());
    assertThat(seen.path("phone").asBoolean()).isFalse();
  }

  @Test
  void itAsksNoOtherServerForAnythingAndBreaksNoRuleOfItsPolicy() {
    assertThat(seen.path("looks"))
        .allSatisfy(
            look -> {
              assertThat(look.path("foreign")).as(look.toString()).isEmpty();
              assertThat(look.path("problems")).as(look.toString()).isEmpty();
            });
    assertThat(seen.at("/seen/foreign")).isEmpty();
    assertThat(seen.at("/seen/problems")).as(seen.toString()).isEmpty();
  }

  @Test
  void aPaidCallCanBeTriedWithSandboxMoney() {
    assertThat(seen.path("sandbox").asBoolean()).isTrue();
    assertThat(seen.path("told").asText()).contains("Paid 0.009500 USD of sandbox money");
    assertThat(seen.path("status").asText()).startsWith("200");
  }

  @Test
  void nothingOnItKeepsAReaderOutWithChaptersUnfoldedAndCallsTried() {
    assertThat(seen.path("chapters")).hasSize(1);
    assertThat(seen.path("serious").isArray()).isTrue();
    assertThat(seen.path("serious")).as(seen.path("serious").toString()).isEmpty();
  }

  @Test
  void whatIsOursOnItIsAccessible() {
    assertThat(seen.path("accessibility")).as(seen.path("accessibility").toString()).isEmpty();
  }
}
