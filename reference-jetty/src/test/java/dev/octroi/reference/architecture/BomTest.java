package dev.octroi.reference.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
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

  /** Another's versions in the list would be imported by each host, and override its own. */
  @Test
  void theListIsPublishedWithoutParentOrProperties() throws IOException {
    Path published = root.resolve("gateway-api/bom/target/.flattened-pom.xml");
    Assumptions.assumeTrue(Files.exists(published), "the build has not made the BOM");

    String pom = Files.readString(published);

    assertThat(pom).doesNotContain("<parent>", "<properties>");
    assertThat(Pattern.compile("<groupId>([^<]+)<").matcher(pom).results().map(it -> it.group(1)))
        .hasSizeGreaterThan(5)
        .containsOnly("dev.octroi");
    assertThat(pom)
        .contains("<name>", "<description>", "<url>", "<licenses>", "<developers>", "<scm");
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
