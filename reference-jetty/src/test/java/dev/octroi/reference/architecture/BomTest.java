package dev.octroi.reference.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** An embedder of the gateway imports one list of versions, which has to be whole. */
class BomTest {

  private static final Pattern OURS =
      Pattern.compile("<groupId>dev.octroi</groupId>\\s*<artifactId>([a-z-]+)</artifactId>");

  private final Path root = Sources.ofTheProject().root();

  @Test
  void theListHoldsEveryJarThatAnEmbedderOrHisTestsDependOn() throws IOException {
    List<String> listed = artifacts("gateway-api/bom");

    assertThat(listed)
        .contains("octroi-db", "gateway-payments", "gateway-api", "gateway-testkit", "octroi-junit")
        .doesNotContain("gateway-testchain", "gateway-war")
        .doesNotHaveDuplicates();
    for (String module : List.of("gateway-api", "gateway-api/testkit", "reference-jetty/junit")) {
      assertThat(listed).as(module).containsAll(needed(module));
    }
  }

  /** Without the parent, and without what only the module's own tests use. */
  private List<String> needed(String module) throws IOException {
    return artifacts(module).stream()
        .filter(name -> !name.equals("octroi-parent") && !name.equals("gateway-testchain"))
        .toList();
  }

  private List<String> artifacts(String module) throws IOException {
    String pom = Files.readString(root.resolve(module).resolve("pom.xml"));
    return OURS.matcher(pom).results().map((MatchResult found) -> found.group(1)).toList();
  }
}
