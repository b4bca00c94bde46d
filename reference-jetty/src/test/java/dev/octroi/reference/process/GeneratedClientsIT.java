package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two published generators make clients of the description of the built jar, which compile with
 * code that reads members of answers, and call the gateway.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GeneratedClientsIT {

  private static final NpmFolder FOLDER = NpmFolder.of("generators", "generators");

  private JsonNode seen;
  private String base;

  @BeforeAll
  void generate(@TempDir Path data) throws Exception {
    FOLDER
        .install()
        .ifPresent(
            reason -> {
              System.out.println("SKIPPED, no client was generated: " + reason);
              Assumptions.abort(reason);
            });
    try (Running gateway =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString()).start()) {
      base = gateway.awaitReady().toString().replaceFirst("/$", "");
      seen = FOLDER.run(Map.of(), List.of("generate.mjs", base));
    }
  }

  @Test
  void bothGeneratorsTakeTheDescription() {
    assertThat(seen.at("/types/ok").asBoolean()).as(seen.toString()).isTrue();
    assertThat(seen.at("/client/ok").asBoolean()).as(seen.toString()).isTrue();
  }

  @Test
  void whatTheyMakeCompilesWithCodeThatReadsAnswers() {
    assertThat(seen.at("/compiled/ok").asBoolean()).as(seen.toString()).isTrue();
  }

  @Test
  void theGeneratedClientCallsTheServerOfTheDescription() {
    assertThat(seen.at("/used/base").asText()).isEqualTo(base);
    assertThat(seen.at("/used/status").asInt()).isEqualTo(402);
    assertThat(seen.at("/used/offers").asInt()).isEqualTo(1);
    assertThat(seen.at("/used/groups").asInt()).isGreaterThan(8);
  }
}
