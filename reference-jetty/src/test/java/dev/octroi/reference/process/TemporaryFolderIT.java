package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.client.Wallet;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar with temporary folders as hardened machines have them, and what it leaves in one. */
class TemporaryFolderIT {

  private static final String CHAT = "/v1/chat/completions";

  @TempDir private Path folder;

  @Test
  void whereNothingInItMayBeExecutedJavaSignsAndTheLogSaysSoOnce() throws Exception {
    try (Mounted mounted = Mounted.with("noexec", folder.resolve("tmp"))) {
      try (Running gateway = serving(mounted.folder()).start()) {
        URI base = gateway.awaitReady();
        assertPaid(base);
        assertPaid(base);
        assertThat(longCall(base).statusCode()).isEqualTo(402);
        assertThat(warnings(gateway)).hasSize(1);
        assertThat(warnings(gateway).get(0))
            .contains("pure Java", "OCTROI_NATIVE_FOLDER", "UnsatisfiedLinkError");
        assertThat(children(mounted.folder())).isEmpty();
      }
      try (Running doctor = doctor(mounted.folder()).start()) {
        assertThat(doctor.awaitExit()).as(doctor::said).isZero();
        assertThat(doctor.outText())
            .containsPattern("warning +signatures .*pure Java")
            .contains("OCTROI_NATIVE_FOLDER")
            .containsPattern("ok +temporary folder");
      }
    }
  }

  @Test
  void theLibraryIsLoadedFromAnotherPlaceThatIsNamed() throws Exception {
    Path place = Files.createDirectories(folder.resolve("native"));
    try (Mounted mounted = Mounted.with("noexec", folder.resolve("tmp"))) {
      try (Running gateway =
          serving(mounted.folder()).environment("OCTROI_NATIVE_FOLDER", place.toString()).start()) {
        assertPaid(gateway.awaitReady());
        assertThat(warnings(gateway)).isEmpty();
        assertThat(children(place)).isEmpty();
      }
      try (Running doctor =
          doctor(mounted.folder()).environment("OCTROI_NATIVE_FOLDER", place.toString()).start()) {
        assertThat(doctor.awaitExit()).as(doctor::said).isZero();
        assertThat(doctor.outText()).containsPattern("ok +signatures .*native");
      }
    }
  }

  @Test
  void whereItCannotBeWrittenCallsArePaidAndLongBodiesAreRefusedUncharged() throws Exception {
    try (Mounted mounted = Mounted.with("ro", folder.resolve("tmp"))) {
      try (Running gateway = serving(mounted.folder()).start()) {
        URI base = gateway.awaitReady();
        assertPaid(base);
        HttpResponse<String> refused = longCall(base);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(refused.body()).startsWith("{").doesNotContain("java", mounted.toString());
        assertThat(warnings(gateway)).hasSize(2);
        assertThat(gateway.errText()).contains("temporary folder").doesNotContain("\tat ");
      }
      try (Running doctor = doctor(mounted.folder()).start()) {
        assertThat(doctor.awaitExit()).as(doctor::said).isZero();
        assertThat(doctor.outText())
            .containsPattern("warning +signatures .*pure Java")
            .containsPattern("warning +temporary folder .*cannot be written");
      }
    }
  }

  @Test
  void nothingIsLeftInItHoweverTheProcessEnds() throws Exception {
    Path temporary = Files.createDirectories(folder.resolve("tmp"));
    try (Running gateway = serving(temporary).start()) {
      URI base = gateway.awaitReady();
      assertPaid(base);
      assertThat(longCall(base).statusCode()).isEqualTo(402);
      await().untilAsserted(() -> assertThat(children(temporary)).isEmpty());
      gateway.terminate();
      assertThat(gateway.awaitExit()).isZero();
    }
    assertThat(children(temporary)).isEmpty();
    try (Running gateway = serving(temporary).start()) {
      assertPaid(gateway.awaitReady());
      gateway.kill();
    }
    assertThat(children(temporary)).isEmpty();
  }

  private BuiltJar serving(Path temporary) throws Exception {
    return in(temporary, "--port", "0", "--data", folder.toString());
  }

  private BuiltJar doctor(Path temporary) throws Exception {
    return in(temporary, "doctor", "--data", folder.toString());
  }

  private BuiltJar in(Path temporary, String... arguments) throws Exception {
    return BuiltJar.quickIn(folder, arguments).jvm("-Djava.io.tmpdir=" + temporary);
  }

  private static void assertPaid(URI base) throws Exception {
    assertThat(Offer.read(base).accept(Wallet.generate()).send(base).statusCode()).isEqualTo(200);
  }

  /** Its body is too long to be kept in memory. */
  private static HttpResponse<String> longCall(URI base) throws Exception {
    String body =
        "{\"model\":\"claude-haiku-4.5\",\"max_tokens\":16,\"messages\":[{\"role\":\"user\",\"content\":\""
            + "toll ".repeat(40_000)
            + "\"}]}";
    return Offer.HTTP.send(
        HttpRequest.newBuilder(base.resolve(CHAT))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private static List<String> warnings(Running gateway) {
    return gateway.errText().lines().filter(line -> line.contains(" WARN ")).toList();
  }

  private static List<Path> children(Path folder) throws Exception {
    try (Stream<Path> children = Files.list(folder)) {
      return children.toList();
    }
  }
}
