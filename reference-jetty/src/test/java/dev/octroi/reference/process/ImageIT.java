package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.client.Wallet;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The image's commands without an engine: as its user, with PostgreSQL and all keys by environment,
 * without a data folder, and in 160 MiB of heap.
 */
@Tag("slow")
class ImageIT {

  private static final String OPT = "/opt/octroi";
  private static final String KEY = "A".repeat(43) + "=";
  private static final String USER = "10001";
  private static final Duration ARCHIVE = Duration.ofMinutes(5);

  /** Below the machine's temporary folder, so that another user can come here. */
  @TempDir private Path image;

  private Path opt;
  private Path tmp;
  private Path data;

  @Test
  void theyServeAndWriteNothingButToTheTemporaryFolder() throws Exception {
    layOut();
    try (SharedPostgres postgres = SharedPostgres.start()) {
      makeArchive();
      List<Path> before = files();
      try (Running gateway = Running.start(asUser(entrypoint()), environment(postgres), data)) {
        URI base = gateway.awaitReady();
        assertThat(paid(Offer.read(base), base).statusCode()).isEqualTo(200);
        assertThat(paid(Offer.query(base), base).statusCode()).isEqualTo(200);
        HttpResponse<String> picture =
            paid(
                Offer.ask(
                    base,
                    "/v1/images/generations",
                    "{\"model\":\"openai/gpt-image-2\",\"prompt\":\"a toll house\"}"),
                base);
        assertThat(picture.statusCode()).as(picture.body()).isEqualTo(200);

        assertThat(healthcheck(base.getPort())).isZero();
        System.out.println(
            "the image's process took at most "
                + Files.readString(Path.of("/proc/" + gateway.pid() + "/status"))
                    .replaceAll("(?s).*VmHWM:\\s*([0-9]+ kB).*", "$1"));
        assertThat(files()).isEqualTo(before);
        assertThat(ofUserElsewhere()).isEmpty();
        gateway.terminate();
        assertThat(gateway.awaitExit()).as(gateway::said).isZero();
        assertThat(healthcheck(base.getPort())).isNotZero();
        assertThat(gateway.out()).isNotEmpty();
        for (String line : gateway.out()) {
          JsonNode read = new ObjectMapper().readTree(line);
          assertThat(read.isObject()).as(line).isTrue();
        }
      }
      assertThat(files()).isEqualTo(before);
      try (LedgerTables tables = postgres.tables()) {
        tables.assertVerified();
      }
    }
  }

  private static HttpResponse<String> paid(Offer offer, URI base) throws Exception {
    return offer.accept(Wallet.generate()).send(base);
  }

  /** As the file of the image lays it out, but below a folder of this test. */
  private void layOut() throws IOException {
    Files.setPosixFilePermissions(image, PosixFilePermissions.fromString("rwxr-xr-x"));
    opt = Files.createDirectories(image.resolve("opt"));
    tmp = Files.createDirectories(image.resolve("tmp"));
    data = Files.createDirectories(image.resolve("data"));
    Files.setPosixFilePermissions(tmp, PosixFilePermissions.fromString("rwxrwxrwx"));
    for (String copy : DeployFolder.instructions("COPY")) {
      String[] words = copy.split(" ");
      if (!words[0].startsWith("--from")) {
        Path from = DeployFolder.PATH.resolveSibling(words[0]);
        Files.copy(from, opt.resolve(Path.of(words[1]).getFileName()));
      }
    }
    Files.setPosixFilePermissions(
        opt.resolve("healthcheck"), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void makeArchive() throws Exception {
    String run = DeployFolder.instructions("RUN").get(0);
    assertThat(run).startsWith("java ");
    try (Running archive = Running.start(List.of("sh", "-c", here(run)), Map.of(), opt)) {
      assertThat(archive.awaitExit(ARCHIVE)).as(archive::said).isZero();
    }
    assertThat(opt.resolve("octroi.jsa")).isNotEmptyFile();
    // Read-only, as the root of the container is.
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("r-xr-xr-x"));
    Files.setPosixFilePermissions(opt, PosixFilePermissions.fromString("r-xr-xr-x"));
  }

  private List<String> entrypoint() throws IOException {
    List<String> command = new ArrayList<>();
    // Whatever the archive is, the virtual machine must take it.
    for (String word : DeployFolder.command("ENTRYPOINT")) {
      command.add(here(word));
    }
    command.add(1, "-Xshare:on");
    return command;
  }

  private int healthcheck(int port) throws Exception {
    List<String> command = DeployFolder.command("HEALTHCHECK");
    assertThat(command).hasSize(2);
    command.replaceAll(this::here);
    command.set(1, Integer.toString(port));
    try (Running check = Running.start(asUser(command), Map.of(), data)) {
      return check.awaitExit();
    }
  }

  private String here(String word) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return word.replaceFirst("^java( |$)", java + "$1").replace(OPT, opt.toString());
  }

  /** By root as the image's user, with no right of root's; by another user as that one. */
  private static List<String> asUser(List<String> command) {
    if (!isRoot()) {
      return command;
    }
    List<String> whole =
        new ArrayList<>(List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups"));
    whole.addAll(List.of("--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"));
    whole.addAll(command);
    return whole;
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private Map<String, String> environment(SharedPostgres postgres) throws IOException {
    Map<String, String> all = new HashMap<>(DeployFolder.environment());
    assertThat(all).containsEntry("GATEWAY_HTTP_BIND_ADDRESS", "0.0.0.0");
    // A test opens no port to other machines, takes any that is free, and does not wait.
    all.put("GATEWAY_HTTP_BIND_ADDRESS", "127.0.0.1");
    all.put("GATEWAY_HTTP_PORT", "0");
    all.put("GATEWAY_HTTP_DRAIN_DELAY", "0s");
    all.put("GATEWAY_SANDBOX_PUBLIC_ADDRESS", "true");
    all.put("GATEWAY_DATABASE_URL", postgres.jdbcUrl());
    all.put("GATEWAY_DATABASE_USER", "postgres");
    all.put("GATEWAY_DATABASE_ANSWER_KEY", KEY);
    all.put("GATEWAY_KEYS_MASTER_KEY", KEY);
    all.put("GATEWAY_ADMIN_TOKEN", "a-token-of-enough-characters");
    all.put("JDK_JAVA_OPTIONS", "-Xmx160m -Djava.io.tmpdir=" + tmp);
    all.put("HOME", "/nonexistent");
    return all;
  }

  /** All but what is temporary. */
  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(image)) {
      return all.filter(path -> !path.startsWith(tmp)).sorted().toList();
    }
  }

  /** What the image's user has in the places where each user may write. */
  private List<String> ofUserElsewhere() throws Exception {
    List<String> find =
        List.of("find", "/tmp", "/var/tmp", "/dev/shm", "-path", tmp.toString(), "-prune");
    List<String> whole = new ArrayList<>(find);
    whole.addAll(List.of("-o", "-user", isRoot() ? USER : "0", "-print"));
    try (Running found = Running.start(whole, Map.of(), image)) {
      found.awaitExit();
      return found.out();
    }
  }
}
