package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.reference.architecture.Sources;
import dev.octroi.reference.docs.Page;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of the documentation, each run by a shell beside one gateway, in the folder where
 * its data folder lies. They are run as they stand but for this:
 *
 * <table>
 * <caption>What is put in the place of what</caption>
 * <tr><td>{@code java -jar …octroi.jar}</td><td>the built jar, with options that only make it start
 * faster</td></tr>
 * <tr><td>{@code http://127.0.0.1:8402}</td><td>where the gateway is</td></tr>
 * <tr><td>an operator's command without {@code --url}</td><td>the same with it</td></tr>
 * <tr><td>{@code sk-…}</td><td>the secret of a key</td></tr>
 * <tr><td>the doctor</td><td>looks at a data folder that is not in use</td></tr>
 * <tr><td>serving, and the sandbox</td><td>on a free port, in a folder of its own, until it serves;
 * then it is told to stop</td></tr>
 * </table>
 *
 * What cannot be run so stands in {@link RunElsewhere} with the reason.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class CommandsIT {

  private static final String USUAL = "http://127.0.0.1:8402";
  private static final String JAR = "java -jar \\S*octroi\\.jar";

  private final List<DocumentedCommand> commands;
  private Path folder;
  private Running gateway;
  private URI base;
  private String secret;

  CommandsIT() throws IOException {
    commands =
        Page.all(Sources.ofTheProject()).stream()
            .flatMap(page -> page.blocks("sh").stream())
            .flatMap(block -> DocumentedCommand.in(block).stream())
            .toList();
  }

  @BeforeAll
  void serve(@TempDir Path here) throws Exception {
    folder = here;
    Path data = here.resolve("octroi-data");
    gateway =
        BuiltJar.quickIn(here, "--port", "0", "--data", data.toString())
            .set("gateway.prices.file", prices().toString())
            .start();
    base = gateway.awaitReady();
    secret =
        new Operator(base, data)
            .post("keys", "{\"name\":\"docs\",\"fund\":\"10\"}")
            .path("secret")
            .asText();
  }

  /** The price book of the documentation, with which a gateway starts only if it is good. */
  private Path prices() throws IOException {
    Page page = Page.named(Sources.ofTheProject(), "gateway-api/docs/prices.md");
    return Files.write(folder.resolve("prices"), page.blocks("properties").get(0).lines());
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  /** Other words for the same would go past the tests. */
  @Test
  void shellCommandsAreMarkedAsSuch() throws IOException {
    for (Page page : Page.all(Sources.ofTheProject())) {
      for (String other : List.of("bash", "shell", "console", "zsh")) {
        assertThat(page.blocks(other)).isEmpty();
      }
    }
  }

  @Test
  void whatIsRunElsewhereIsInThePagesAndRunThere() {
    Path root = Sources.ofTheProject().root();
    for (RunElsewhere one : RunElsewhere.values()) {
      assertThat(commands)
          .as("%s: %s", one, one.why())
          .anyMatch(command -> RunElsewhere.of(command).filter(one::equals).isPresent());
      assertThat(Files.exists(root.resolve(one.where()))).as(one.where()).isTrue();
    }
  }

  @TestFactory
  Stream<DynamicTest> eachCommandEndsWell() {
    Set<String> seen = new HashSet<>();
    return commands.stream()
        .filter(command -> RunElsewhere.of(command).isEmpty())
        .filter(command -> seen.add(command.command()))
        .map(command -> DynamicTest.dynamicTest(command.toString(), () -> run(command)));
  }

  private void run(DocumentedCommand command) throws Exception {
    assertThat(command.mayBeRun()).as("%s is neither run nor in RunElsewhere", command).isTrue();
    if (command.stays()) {
      serveAndStop(command);
    } else if (command.isCurl()) {
      ask(command);
    } else {
      String aside = command.looksAtData() ? " --data beside" : "";
      try (Running shell = shell(command.text() + aside)) {
        assertThat(shell.awaitExit()).as(() -> command + "\n" + shell.said()).isZero();
      }
    }
  }

  /** An unpaid call gets the challenge, any other its answer. */
  private void ask(DocumentedCommand command) throws Exception {
    String withStatus = command.text().replaceFirst("curl", "curl -sS -w '%{stderr}%{http_code}'");
    try (Running shell = shell(withStatus)) {
      assertThat(shell.awaitExit()).as(() -> command + "\n" + shell.said()).isZero();
      String status = command.text().contains("Authorization") ? "200" : "402";
      assertThat(shell.errText()).as(() -> command + "\n" + shell.said()).isEqualTo(status);
    }
  }

  private void serveAndStop(DocumentedCommand command) throws Exception {
    boolean sandbox = command.text().endsWith(" sandbox");
    String aside = sandbox ? " --port 0" : " --port 0 --data beside";
    try (Running serving = shell("exec " + command.text() + aside)) {
      Awaitility.await()
          .atMost(Running.TIMEOUT)
          .until(() -> !serving.isAlive() || serving.outText().contains(" on http://127.0.0.1:"));
      serving.terminate();
      assertThat(serving.awaitExit())
          .as(() -> command + "\n" + serving.said())
          .isEqualTo(sandbox ? 143 : 0);
    }
  }

  private Running shell(String text) throws Exception {
    DocumentedCommand command = new DocumentedCommand("", text);
    String jar = String.join(" ", BuiltJar.quickIn(folder).command());
    String here =
        (command.operatesTheUsualGateway() ? text + " --url " + base : text)
            .replace(USUAL, base.toString())
            .replace("sk-…", secret)
            .replaceAll(JAR, Matcher.quoteReplacement(jar));
    return Running.start(List.of("bash", "-euo", "pipefail", "-c", here), Map.of(), folder);
  }
}
