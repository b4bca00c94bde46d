package dev.octroi.reference.cli;

import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.SettlementResponse;
import dev.octroi.reference.ReferenceGateway;
import dev.octroi.reference.ServeOptions;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes one paid call of each kind and prints what came of it. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = "Make one paid call of each kind that the gateway has, in the sandbox.",
    footer = {"", "Exit codes: 0 all calls were paid and served, 1 one was not."})
final class DemoCommand implements Callable<Integer> {

  private static final Usd MOST = Usd.parse("10");
  private static final String ROW = "%-58s %10s %6s %7s  %s%n";

  @Option(
      names = "--url",
      paramLabel = "BASE",
      description = "A sandbox gateway that runs already. Default: one of its own on a free port.")
  private @Nullable URI url;

  @Spec private @Nullable CommandSpec spec;

  private record Line(
      DemoCall call, String price, int status, long millis, String transaction, boolean good) {}

  @Override
  public Integer call() throws Exception {
    if (url != null) {
      return run(url);
    }
    Path data = Files.createTempDirectory("octroi-demo");
    try (ReferenceGateway gateway = ReferenceGateway.start(ServeOptions.demo(data))) {
      return run(gateway.baseUrl());
    } finally {
      TemporaryFolder.delete(data);
    }
  }

  private int run(URI base) {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    out.printf("Paying at %s with a wallet made for this run.%n", base);
    PayingClient client =
        new PayingClient(
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build(),
            new PaymentSigner(Wallet.generate(), Clock.systemUTC()),
            SpendingLimit.of(MOST));
    List<Line> lines = new ArrayList<>();
    for (DemoCall call : DemoCall.values()) {
      out.printf("  %d/%d %s%n", lines.size() + 1, DemoCall.values().length, call.endpoint());
      out.flush();
      lines.add(line(client, call, base));
    }
    print(out, lines);
    return lines.stream().allMatch(Line::good) ? ExitCode.OK : ExitCode.FAILED;
  }

  private static Line line(PayingClient client, DemoCall call, URI base) {
    long start = System.nanoTime();
    try {
      PaidAnswer answer = client.send(call.request(base));
      SettlementResponse receipt = answer.receipt();
      return new Line(
          call,
          answer.headers().firstValue("X-Price-Amount").orElse("-"),
          answer.status(),
          millisSince(start),
          receipt != null && receipt.success() ? receipt.transaction() : "not paid",
          answer.isSuccess() && receipt != null && receipt.success());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Line(call, "-", 0, millisSince(start), "interrupted", false);
    } catch (Exception e) {
      return new Line(call, "-", 0, millisSince(start), String.valueOf(e.getMessage()), false);
    }
  }

  private static long millisSince(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  private static void print(PrintWriter out, List<Line> lines) {
    out.println();
    out.printf(ROW, "ENDPOINT", "PRICE USD", "STATUS", "MS", "TRANSACTION");
    for (Line line : lines) {
      out.printf(
          ROW,
          line.call().endpoint(),
          line.price(),
          line.status(),
          line.millis(),
          line.transaction());
    }
    long failed = lines.stream().filter(line -> !line.good()).count();
    out.printf("%n%d calls, %d failed%n", lines.size(), failed);
    out.flush();
  }
}
