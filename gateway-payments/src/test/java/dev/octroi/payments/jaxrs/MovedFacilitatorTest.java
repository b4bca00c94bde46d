package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A facilitator whose name leads elsewhere between two questions. The JVM's resolver is changed for
 * it, so that all of this runs in a JVM of its own: {@link MovedFacilitator}.
 */
class MovedFacilitatorTest {

  private static final long PATIENCE_SECONDS = 120;

  @TempDir private static Path folder;

  private static List<String> said;

  @BeforeAll
  static void run() throws IOException, InterruptedException {
    Path hosts = Files.writeString(folder.resolve("hosts"), "");
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Djdk.net.hosts.file=" + hosts,
                "-Dsun.net.inetaddr.ttl=0",
                "-Dsun.net.inetaddr.negative.ttl=0",
                "-cp",
                System.getProperty("java.class.path"),
                MovedFacilitator.class.getName(),
                hosts.toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("it ended").isTrue();
    } finally {
      process.destroyForcibly();
      said = Files.readAllLines(out, StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:money.5")
  @Tag("spec:x402.uncertain.1")
  void aPaymentIsNeitherLostNorDoubled(MovedFacilitator.Scene scene) {
    assertThat(said).contains(scene + " held");
  }
}
