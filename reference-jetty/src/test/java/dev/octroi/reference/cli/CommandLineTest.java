package dev.octroi.reference.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.octroi.reference.cli.AdminClient.NoGateway;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the command line says to what is typed. */
class CommandLineTest {

  private static final String ID = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";

  /** Nothing listens there. */
  private static final String DOWN = "http://127.0.0.1:1";

  @TempDir private Path folder;

  private record Said(int code, String out, String err) {}

  private static Said said(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line =
        Octroi.commandLine(arguments)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    int code = line.execute(arguments);
    return new Said(code, out.toString(), err.toString());
  }

  @Test
  void helpListsTheCommandsAndExplainsEach() {
    assertThat(said("help").out())
        .startsWith("Usage: octroi")
        .contains("serve", "doctor", "pay", "keys", "completion");
    assertThat(said("help", "serve").out()).startsWith("Usage: octroi serve").contains("--port");
    assertThat(said("help", "keys").out()).startsWith("Usage: octroi keys").contains("limits");
    assertThat(said("keys", "limits", "--help").out()).contains("--per-call=USD|none");
    assertThat(said("serve", "--help").out()).startsWith("Usage: octroi serve");
  }

  /** A server's fault is no unexpected one of the program's. */
  @ParameterizedTest
  @ValueSource(strings = {"null", "[]", "{}", "{\"x402Version\":2,\"accepts\":[]}"})
  void anOfferThatCannotBeReadIsTheServersFault(String offer) throws IOException {
    HttpServer server = answering(402, offer);
    try {
      Said refused = said("pay", base(server));
      assertThat(refused.code()).isEqualTo(ExitCode.FAILED);
      assertThat(refused.err())
          .startsWith("The server's offer cannot be read. ")
          .doesNotContain("unexpectedly", "..");
    } finally {
      server.stop(0);
    }
  }

  /** As the published middleware of version 1 sells, which has no header for the price. */
  @Test
  void aServerOfVersion1IsPaidAndTheChargeIsThatOfItsReceipt() throws IOException {
    String challenge =
        "{\"x402Version\":1,\"error\":\"X-PAYMENT header is required\",\"accepts\":[{"
            + "\"scheme\":\"exact\",\"network\":\"base\",\"maxAmountRequired\":\"10000\","
            + "\"resource\":\"http://127.0.0.1/\",\"description\":\"\",\"mimeType\":\"\","
            + "\"payTo\":\"0x209693Bc6afc0C5328bA36FaF03C514EF312287C\",\"maxTimeoutSeconds\":60,"
            + "\"asset\":\"0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913\","
            + "\"extra\":{\"name\":\"USD Coin\",\"version\":\"2\"}}]}";
    String receipt =
        "{\"success\":true,\"transaction\":\"0xfeed\",\"network\":\"base\",\"payer\":\"0x1\","
            + "\"amount\":\"10000\"}";
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        call -> {
          boolean paid = call.getRequestHeaders().containsKey("X-PAYMENT");
          byte[] body = (paid ? "{}" : challenge).getBytes(StandardCharsets.UTF_8);
          if (paid) {
            call.getResponseHeaders()
                .set(
                    "X-PAYMENT-RESPONSE",
                    Base64.getEncoder().encodeToString(receipt.getBytes(StandardCharsets.UTF_8)));
          }
          call.sendResponseHeaders(
              paid ? 200 : call.getRequestHeaders().containsKey("PAYMENT-SIGNATURE") ? 400 : 402,
              body.length);
          call.getResponseBody().write(body);
          call.close();
        });
    server.start();
    try {
      Path key = Files.writeString(folder.resolve("key"), "0x" + "11".repeat(32));

      Said bought = said("pay", "--key-file", key.toString(), base(server));

      assertThat(bought.code()).as(bought.err()).isEqualTo(ExitCode.OK);
      assertThat(bought.err())
          .contains("quote    0.010000 USD on eip155:8453", "paid     0.010000 USD by 0x1");
    } finally {
      server.stop(0);
    }
  }

  /** Who signed a ceiling signed for more. */
  @Test
  void aPaymentIsListedByWhatWasCharged() throws IOException {
    HttpServer server =
        answering(
            200,
            "{\"data\":[{\"id\":\"a\",\"state\":\"settled\",\"amount\":\"0.06\",\"charged\":\"0.01\"},"
                + "{\"id\":\"b\",\"state\":\"claimed\",\"amount\":\"0.07\",\"charged\":null}]}");
    try {
      Said listed =
          said("payments", "--url", base(server), "--admin-token", "0123456789abcdef01234567");
      assertThat(listed.out()).contains("0.01", "0.07").doesNotContain("0.06");
    } finally {
      server.stop(0);
    }
  }

  private static HttpServer answering(int status, String answer) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        call -> {
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          call.getResponseHeaders()
              .set("PAYMENT-REQUIRED", Base64.getEncoder().encodeToString(body));
          call.sendResponseHeaders(status, body.length);
          call.getResponseBody().write(body);
          call.close();
        });
    server.start();
    return server;
  }

  private static String base(HttpServer server) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  @ParameterizedTest
  @CsvSource({
    "srve, serve",
    "dockter, doctor",
    "keys lst, keys list",
    "--prot 1, --port",
    "pay --mx http://127.0.0.1:1, --max",
    "doctor --jsn, --json"
  })
  void whatIsMistypedIsAnsweredByWhatWasMeant(String typed, String meant) {
    Said wrong = said(typed.split(" "));
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.out()).isEmpty();
    assertThat(wrong.err())
        .containsPattern("(Did you mean|Possible solutions): .*" + meant)
        .contains(" does not know '")
        .doesNotContain("at index");
  }

  /** The usage of the command, and where the rest stands; not the whole help. */
  @ParameterizedTest
  @ValueSource(strings = {"keys", "keys create", "payments show", "--prot", "books", "pay"})
  void afterAnErrorComesAShortUsage(String typed) {
    Said wrong = said(typed.split(" "));
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("Usage: octroi", "--help' explains it.");
    assertThat(wrong.err().lines().count()).as(wrong.err()).isLessThanOrEqualTo(9);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pay --max abc http://127.0.0.1:1|'abc' is not an amount. Write dollars",
        "pay --max 1e400 http://127.0.0.1:1|'1e400' is not an amount",
        "keys create --name a --daily 5,00|'5,00' is not an amount",
        "keys limits 17 --daily 5|'17' is not an id. An id is like",
        "payments show 1-1-1-1-1|is not an id",
        "keys list --url 127.0.0.1:8402|is not an address. Write it whole, such as http://",
        "pay 127.0.0.1:8402/v1|is not an address",
        "keys limits " + ID + " --admin-token t|Name a limit: --per-call, --daily or --monthly",
        "keys create --name a --admin-token t --expires soon|'soon' is not an end. Write --expires",
      })
  void whatCannotBeReadIsAnsweredByHowItIsWritten(String typed, String how) {
    Said wrong = said(typed.split(" "));
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains(how).doesNotContain("Exception", "\tat ", "positional");
  }

  /** Such an option belongs to another command, and would be ignored: another gateway is asked. */
  @ParameterizedTest
  @CsvSource({
    "refunds --url http://127.0.0.1:2 pay " + ID + " --reason x, octroi refunds pay",
    "node --url http://127.0.0.1:2 drain, octroi node drain",
    "--port 1 doctor, octroi doctor",
  })
  void anOptionBeforeItsCommandIsRefused(String typed, String after) {
    Said wrong = said(typed.split(" "));
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("stands before the command. Write it after " + after);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "keys list --admin-token t --url " + DOWN,
        "payments find --admin-token t --url " + DOWN,
        "books export --admin-token t --url " + DOWN,
        "node drain --admin-token t --url " + DOWN,
        "demo --url " + DOWN,
        "pay " + DOWN + "/v1"
      })
  void aGatewayThatIsDownIsSaidInTheSameWordsEverywhere(String typed) {
    Said down = said(typed.split(" "));
    assertThat(down.code()).isEqualTo(1);
    assertThat(down.err().strip())
        .isEqualTo(
            "No gateway answers at "
                + DOWN
                + ". Start it with java -jar octroi.jar, or correct the address.");
  }

  @Test
  void aTokenThatIsMissingIsSaidWithWhereItIsLookedFor() {
    Said wrong = said("keys", "list", "--data", folder.toString());
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("admin-token does not exist", "--data", "--admin-token-file");
    Said file = said("keys", "list", "--admin-token-file", folder.resolve("absent").toString());
    assertThat(file.code()).isEqualTo(1);
    assertThat(file.err()).contains("cannot be read: it does not exist.");
  }

  /** The data folder is of a gateway of this machine. */
  @Test
  void theTokenOfTheDataFolderStaysOnThisMachine() throws Exception {
    Files.writeString(folder.resolve("admin-token"), "hidden-token-0123456789");
    String elsewhere = "http://gateway.invalid:8402";
    Said kept = said("keys", "list", "--data", folder.toString(), "--url", elsewhere);
    assertThat(kept.code()).as(kept.err()).isEqualTo(2);
    assertThat(kept.err())
        .contains("gateway.invalid is not this machine", "--admin-token-file")
        .doesNotContain("hidden-token");
    Said given = said("keys", "list", "--admin-token", "t", "--url", elsewhere);
    assertThat(given.code()).as(given.err()).isEqualTo(1);
    Said here = said("keys", "list", "--data", folder.toString(), "--url", DOWN);
    assertThat(here.code()).as(here.err()).isEqualTo(1);
  }

  @Test
  void aTypedOutcomeIsOneParameter() throws Exception {
    assertThat(asked("effects", "list", "--outcome", "done&limit=1"))
        .containsExactly("/admin/v1/effects?limit=100&outcome=done%26limit%3D1");
  }

  /** Each command that has a list, with and without the word, and with an option of the list. */
  @TestFactory
  Stream<DynamicTest> aCommandThatHasAListListsUnlessAnotherIsNamed() {
    return Octroi.commandLine("--help").getSubcommands().entrySet().stream()
        .filter(command -> command.getValue().getSubcommands().containsKey("list"))
        .map(Map.Entry::getKey)
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name,
                    () -> {
                      List<String> listed = asked(name, "list");
                      assertThat(listed).hasSize(1);
                      assertThat(asked(name)).isEqualTo(listed);
                      assertThat(said(name, "--help").out())
                          .startsWith("Usage: octroi " + name)
                          .contains("Without a command it lists.");
                    }));
  }

  @Test
  void theOptionsOfAListNeedNotItsName() throws Exception {
    assertThat(asked("keys", "--account", ID))
        .containsExactly("/admin/v1/keys?account=" + ID + "&limit=100");
    assertThat(asked("effects", "--outcome=done"))
        .containsExactly("/admin/v1/effects?limit=100&outcome=done");
    assertThat(Octroi.commandLine("--help").getSubcommands().entrySet())
        .filteredOn(command -> command.getValue().getSubcommands().containsKey("list"))
        .extracting(Map.Entry::getKey)
        .containsExactlyInAnyOrder(
            "keys", "wallets", "payments", "prices", "changes", "refunds", "effects", "operators");
  }

  /** What a gateway is asked for by a command, with a token and an address after it. */
  private static List<String> asked(String... typed) throws IOException {
    List<String> asked = new CopyOnWriteArrayList<>();
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestURI().toString());
          byte[] body = "{\"data\":[]}".getBytes(StandardCharsets.US_ASCII);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      String base = "http://127.0.0.1:" + server.getAddress().getPort();
      Said said =
          said(
              Stream.of(List.of(typed), List.of("--admin-token", "t", "--url", base))
                  .flatMap(List::stream)
                  .toArray(String[]::new));
      assertThat(said.code()).as(said.err()).isZero();
      return asked;
    } finally {
      server.stop(0);
    }
  }

  @Test
  @Timeout(60)
  void anAnswerThatComesToNoEndIsGivenUp() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Socket> begun =
          CompletableFuture.supplyAsync(
              () -> beginning(server, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"));
      URI base = URI.create("http://127.0.0.1:" + server.getLocalPort());
      AdminClient client = new AdminClient(base, "token", Duration.ofSeconds(1));

      assertThatThrownBy(() -> client.get("keys"))
          .isInstanceOf(NoGateway.class)
          .hasMessageContaining("in time");
      begun.get().close();
    }
  }

  /** Begins an answer, and says no more. */
  private static Socket beginning(ServerSocket server, String begin) {
    try {
      Socket caller = server.accept();
      caller.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
      return caller;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatCannotBePrintedIsAFailure() throws Exception {
    File full = new File("/dev/full");
    assumeTrue(full.exists());
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Octroi.class.getName(),
                "completion")
            .redirectOutput(full)
            .start();
    String told = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(told).isEqualTo(1);
    assertThat(told).contains("not all could be printed");
  }

  @Test
  void aTokenWithALineBreakIsRefusedAndNotShown() throws Exception {
    Path file = folder.resolve("token");
    Files.writeString(file, "hidden-token-0123456789\nsecond-line");
    Said wrong = said("keys", "list", "--url", DOWN, "--admin-token-file", file.toString());
    assertThat(wrong.code()).isIn(1, 2);
    assertThat(wrong.err()).contains("token").doesNotContain("hidden-token");
  }

  @Test
  void theDoctorAnswersMachinesAsWell() throws Exception {
    Said doctor = said("doctor", "--json", "--port", "0", "--data", folder.toString());
    assertThat(doctor.code()).as(doctor.err()).isZero();
    JsonNode findings = new ObjectMapper().readTree(doctor.out());
    assertThat(findings)
        .anySatisfy(
            finding -> {
              assertThat(finding.path("checked").asText()).isEqualTo("settings");
              assertThat(finding.path("level").asText()).isEqualTo("ok");
            });
  }

  @Test
  void theCompletionScriptKnowsCommandsAndTheirOptions() {
    assertThat(said("completion").out())
        .startsWith("#!")
        .contains("keys", "limits", "--per-call", "unresolved", "complete -F");
  }
}
