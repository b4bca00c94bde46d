package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.http.BoundedBody;
import dev.octroi.payments.x402.SettlementResponse;
import dev.octroi.reference.ReferenceGateway;
import dev.octroi.reference.ServeOptions;
import dev.octroi.reference.cli.AdminClient.NoGateway;
import dev.octroi.reference.cli.DemoCall.DemoThings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes one paid call of each kind and prints what came of it. */
@Command(
    name = "demo",
    description = "Make one paid call of each kind that the gateway has, in the sandbox.",
    footer = {"", "Exit codes: 0 all calls were paid and served, 1 a call was not."})
final class DemoCommand implements Callable<Integer> {

  private static final Usd MOST = Usd.parse("30");
  private static final String ROW = "%-58s %10s %6s %7s  %s%n";

  @Option(
      names = "--url",
      paramLabel = "BASE",
      description = "A sandbox gateway that runs. Default: a gateway of its own, on a free port.")
  private @Nullable URI url;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Data folder of its own gateway, which stays. Default: a temporary one, which is"
              + " removed.")
  private @Nullable Path data;

  @Option(names = "--json", description = "Print the calls as JSON, and nothing else.")
  private boolean json;

  @Option(
      names = "--admin-token-file",
      paramLabel = "F",
      description = "File with that gateway's operator token, to pay one more call by an API key.")
  private @Nullable Path tokenFile;

  @Spec private @Nullable CommandSpec spec;

  /**
   * What came of a call.
   *
   * @param brought what the answer names
   */
  private record Line(
      String endpoint,
      String price,
      int status,
      long millis,
      String transaction,
      boolean good,
      List<DemoLinks.Opened> files,
      DemoThings brought) {

    static Line failed(String endpoint, long millis, String why) {
      return new Line(endpoint, "-", 0, millis, why, false, List.of(), DemoThings.NONE);
    }
  }

  @Override
  public Integer call() throws Exception {
    if (url != null) {
      return run(url, tokenFile);
    }
    if (data != null) {
      return serveAndRun(data);
    }
    Path temporary = Files.createTempDirectory("octroi-demo");
    try {
      return serveAndRun(temporary);
    } finally {
      TemporaryFolder.delete(temporary);
    }
  }

  private int serveAndRun(Path folder) throws Exception {
    try (ReferenceGateway gateway = ReferenceGateway.start(ServeOptions.demo(folder))) {
      return run(gateway.baseUrl(), folder.resolve("admin-token"));
    }
  }

  private int run(URI base, @Nullable Path token) throws IOException {
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    PrintWriter out = json ? new PrintWriter(Writer.nullWriter()) : line.getOut();
    out.printf("Paying at %s with a wallet made for this run.%n", base);
    HttpClient http = QuickClient.make();
    DemoLinks links = new DemoLinks(http);
    PayingClient client =
        new PayingClient(
            http, new PaymentSigner(Wallet.generate(), Clock.systemUTC()), SpendingLimit.of(MOST));
    List<Line> lines = new ArrayList<>();
    DemoThings bought = DemoThings.NONE;
    int calls = DemoCall.values().length + (token == null ? 0 : 1);
    for (DemoCall call : DemoCall.values()) {
      out.printf("  %d/%d %s%n", lines.size() + 1, calls, call.endpoint());
      out.flush();
      Line done = line(client, links, call.endpoint(), call.request(base, bought));
      bought = bought.and(done.brought());
      lines.add(done);
    }
    if (token != null) {
      out.printf("  %d/%d the first call again, by an API key%n", calls, calls);
      out.flush();
      lines.add(byKey(client, links, base, AdminOptions.read("token", token)));
    }
    if (json) {
      line.getOut().println(ofMachine(lines));
      line.getOut().flush();
    } else {
      print(out, lines);
    }
    return lines.stream().allMatch(Line::good) ? ExitCode.OK : ExitCode.FAILED;
  }

  /** The gateway pays out of the key's wallet: the caller signs nothing. */
  private static Line byKey(PayingClient client, DemoLinks links, URI base, String token)
      throws IOException {
    JsonNode issued =
        new AdminClient(base, token).post("keys", AdminClient.object().put("name", "demo"));
    DemoCall call = DemoCall.TICKER;
    HttpRequest request =
        HttpRequest.newBuilder(call.request(base, DemoThings.NONE), (name, value) -> true)
            .header("Authorization", "Bearer " + issued.path("secret").asText())
            .build();
    return line(client, links, call.endpoint() + " by key", request);
  }

  private static Line line(
      PayingClient client, DemoLinks links, String endpoint, HttpRequest request) throws NoGateway {
    long start = System.nanoTime();
    try {
      PaidAnswer answer = client.send(request);
      SettlementResponse receipt = answer.receipt();
      List<DemoLinks.Opened> files = links.of(answer);
      return new Line(
          endpoint,
          answer.headers().firstValue("X-Price-Amount").orElse("-"),
          answer.status(),
          millisSince(start),
          receipt != null && receipt.success() ? receipt.transaction() : "not paid",
          answer.isSuccess()
              && receipt != null
              && receipt.success()
              && files.stream().allMatch(DemoLinks.Opened::good),
          files,
          DemoThings.in(answer));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Line.failed(endpoint, millisSince(start), "interrupted");
    } catch (ConnectException e) {
      throw new NoGateway(request.uri(), e);
    } catch (Exception e) {
      return Line.failed(endpoint, millisSince(start), String.valueOf(e.getMessage()));
    }
  }

  private static long millisSince(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  private static ArrayNode ofMachine(List<Line> lines) {
    ArrayNode all = AdminClient.object().arrayNode();
    lines.forEach(
        line ->
            all.addObject()
                .put("endpoint", line.endpoint())
                .put("price", line.price())
                .put("status", line.status())
                .put("millis", line.millis())
                .put("transaction", line.transaction())
                .put("good", line.good()));
    return all;
  }

  private static void print(PrintWriter out, List<Line> lines) {
    out.println();
    out.printf(ROW, "ENDPOINT", "PRICE USD", "STATUS", "MS", "TRANSACTION");
    for (Line line : lines) {
      out.printf(
          ROW, line.endpoint(), line.price(), line.status(), line.millis(), line.transaction());
      line.files().forEach(file -> out.printf("  %s  %s%n", file.url(), file.found()));
    }
    long failed = lines.stream().filter(line -> !line.good()).count();
    out.printf("%n%d calls, %d failed%n", lines.size(), failed);
    out.flush();
  }

  /** Folders that go when their command ends. */
  private static final class TemporaryFolder {

    private TemporaryFolder() {}

    static void delete(Path folder) throws IOException {
      List<Path> deepestFirst;
      try (Stream<Path> all = Files.walk(folder)) {
        deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
    }
  }

  /** Opens what the demo's answers link to: pictures and tracks. */
  private record DemoLinks(HttpClient http) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int MOST_BYTES = 64 << 20;

    /**
     * A file that an answer linked to.
     *
     * @param found what came of opening it, for people to read
     */
    record Opened(String url, String found, boolean good) {}

    /** Opens the files of an answer; empty if it links to none. */
    List<Opened> of(PaidAnswer answer) throws IOException, InterruptedException {
      List<Opened> opened = new ArrayList<>();
      String type = answer.headers().firstValue("Content-Type").orElse("");
      if (type.startsWith("application/json")) {
        for (JsonNode file : JSON.readTree(answer.body()).path("data")) {
          String url = file.path("url").asText();
          if (file.path("url").isTextual() && url.contains("/v1/assets/")) {
            opened.add(open(url));
          }
        }
      }
      return opened;
    }

    private Opened open(String url) throws IOException, InterruptedException {
      HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
      HttpResponse<byte[]> file = BoundedBody.answer(http, request, MOST_BYTES, TIMEOUT);
      int bytes = file.body().length;
      String type = file.headers().firstValue("Content-Type").orElse("-");
      return new Opened(url, type + ", " + bytes + " bytes", file.statusCode() == 200 && bytes > 0);
    }
  }
}
