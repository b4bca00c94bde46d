package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What web pages get in a real browser from the sandbox of the machine that it runs on. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForeignPagesIT {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";

  private JsonNode seen;

  @BeforeAll
  void look(@TempDir Path data) throws Exception {
    Browser.install();
    try (Running gateway =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString()).start()) {
      seen = Browser.run("pages.mjs", gateway.awaitReady().toString(), READ);
    }
  }

  @Test
  void aPageOfAnotherSiteReadsNothingAndReachesNothing() {
    JsonNode foreign = seen.path("foreign");
    assertThat(foreign.at("/got/read").asText()).as(seen.toString()).isEqualTo("refused");
    assertThat(foreign.at("/got/preflighted").asText()).isEqualTo("refused");
    assertThat(foreign.at("/got/posted/type").asText()).isEqualTo("opaque");
    assertThat(foreign.at("/got/image").asText()).isEqualTo("refused");
    assertThat(foreign.path("answered").path("POST /mcp").asInt())
        .as(seen.toString())
        .isEqualTo(403);
  }

  @Test
  void aNameThatWasReboundGetsNoPage() {
    assertThat(seen.at("/rebound/status").asInt()).as(seen.toString()).isEqualTo(403);
    assertThat(seen.at("/rebound/told").asText()).contains("gateway.http.hosts");
  }

  @Test
  void aPageOfThisMachineReadsChallengesAndPictures() {
    JsonNode local = seen.path("local").path("got");
    assertThat(local.at("/read/status").asInt()).as(seen.toString()).isEqualTo(402);
    assertThat(local.at("/read/challenge").asText()).isNotBlank();
    assertThat(local.at("/preflighted/status").asInt()).isEqualTo(400);
    assertThat(local.path("image").asText()).isEqualTo("shown");
  }
}
