package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The pages that a person meets first, in a real browser; their pictures are kept. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HomePageIT {

  private JsonNode seen;

  @BeforeAll
  void look(@TempDir Path data) throws Exception {
    Browser.install();
    try (Running gateway =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString()).start()) {
      seen = Browser.run("home.mjs", gateway.awaitReady().toString().replaceFirst("/$", ""));
    }
  }

  @Test
  void eachPageFitsAndIsAccessibleAtPhoneAndDesktopWidthInLightAndDark() {
    assertThat(seen.path("looks")).hasSize(28);
    assertThat(seen.path("looks"))
        .allSatisfy(
            look -> {
              assertThat(look.path("overflows").asBoolean()).as(look.toString()).isFalse();
              assertThat(look.path("accessibility")).as(look.toString()).isEmpty();
              assertThat(look.path("foreign")).as(look.toString()).isEmpty();
              assertThat(look.path("problems")).as(look.toString()).isEmpty();
            });
  }

  @Test
  void whatIsNotThereKeepsItsStatus() {
    assertThat(seen.path("looks").findValuesAsText("status"))
        .containsExactly(
            "200", "200", "200", "200", "200", "200", "200", "200", "200", "200", "200", "200",
            "200", "200", "200", "200", "404", "404", "404", "404", "405", "405", "405", "405",
            "402", "402", "402", "402");
  }

  @Test
  void aPersonComesFromTheHomePageToACallAndToTheDocumentation() {
    assertThat(seen.path("groups").asInt()).isGreaterThan(8);
    assertThat(seen.path("price").asText()).contains("0.0095 USDC");
    assertThat(seen.path("docs").asText()).isEqualTo("Octroi: API documentation");
    assertThat(seen.path("guide").asText()).isEqualTo("Guide");
  }
}
