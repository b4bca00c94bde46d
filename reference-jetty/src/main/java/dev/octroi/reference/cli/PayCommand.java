package dev.octroi.reference.cli;

import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.Quote;
import dev.octroi.payments.client.Signer;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.x402.SettlementResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A curl that pays: the quote and the receipt on stderr, the answer on stdout. */
@Command(
    name = "pay",
    mixinStandardHelpOptions = true,
    description = "Call a URL and pay for it with x402.",
    footer = {
      "",
      "In the sandbox the demo payer pays. Never use a funded mainnet key with a sandbox:",
      "what you sign is valid on the real chain.",
      "",
      "Exit codes: 0 served, 1 failed, 2 wrong usage, 3 not served and not charged,",
      "4 price above --max, 5 payment refused, 6 payment in doubt (send the same again)."
    })
final class PayCommand implements Callable<Integer> {

  private static final int LONGEST_PAUSE = 600;

  @Mixin private CallOptions call = new CallOptions();

  @Mixin private PayerOptions payer = new PayerOptions();

  @Option(
      names = "--max",
      paramLabel = "USD",
      defaultValue = "1",
      description = "The most that the call may cost, in dollars. Default: ${DEFAULT-VALUE}.")
  private Usd max = Usd.ZERO;

  @Option(names = "--dry-run", description = "Show the quote and pay nothing.")
  private boolean dryRun;

  @Option(
      names = "--watch",
      description = {
        "Follow a job or a call until it has ended. A job costs nothing more; each reading of a",
        "call's record costs its price, and --max limits all of it together."
      })
  private boolean watch;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = "How often --watch asks, 1 to 600. Default: ${DEFAULT-VALUE}.")
  private int every = 5;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = {
        "Write the answer to a file and nothing to stdout: its pictures or its track where it has",
        "some, numbered from the second on."
      })
  private @Nullable Path output;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    HttpRequest request = call.request();
    if (every < 1 || every > LONGEST_PAUSE) {
      throw new ParameterException(
          Objects.requireNonNull(spec).commandLine(), "--every is 1 to 600 seconds");
    }
    HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    PaidAnswer unpaid = client(http, payer.asking()).quote(request);
    Quote quote = unpaid.quote();
    if (quote == null) {
      return print(http, request, unpaid);
    }
    tell("quote    %s on %s to %s", quote.price(), quote.terms().network(), quote.terms().payTo());
    if (dryRun) {
      return ExitCode.OK;
    }
    if (quote.price().compareTo(max) > 0) {
      tell("refused  the price is above --max %s; nothing was signed", max);
      return ExitCode.TOO_EXPENSIVE;
    }
    Signer signer =
        payer.paying(SandboxLabel.isOn(unpaid.headers()), quote.terms().network(), this::tell);
    String payment = signer.sign(quote.challenge(), quote.terms());
    PaidAnswer answer = client(http, signer).sendAgain(request, payment);
    if (watch) {
      Usd left = new Usd(max.micros() - quote.price().micros());
      Duration pause = Duration.ofSeconds(every);
      answer =
          new Watch(http, signer, left, pause, line -> tell("watch    %s", line))
              .follow(request.uri(), answer);
    }
    return print(http, request, answer);
  }

  private static PayingClient client(HttpClient http, Signer signer) {
    return new PayingClient(http, signer, SpendingLimit.of(new Usd(Usd.MAX_MICROS)));
  }

  private int print(HttpClient http, HttpRequest request, PaidAnswer answer)
      throws IOException, InterruptedException {
    SettlementResponse receipt = answer.receipt();
    if (receipt != null && receipt.success()) {
      tell(
          "paid     %s USD by %s, transaction %s",
          answer.headers().firstValue("X-Price-Amount").orElse("?"),
          receipt.payer(),
          receipt.transaction());
    }
    if (output != null && answer.isSuccess()) {
      for (Path file : new OutputFile(http, output).keep(request.uri(), answer)) {
        tell("written  %s, %d bytes", file, Files.size(file));
      }
    } else {
      System.out.write(answer.body(), 0, answer.body().length);
      System.out.println();
    }
    if (answer.isSuccess()) {
      return ExitCode.OK;
    }
    tell("status   %d%s", answer.status(), answer.payment() == null ? "" : ", after the payment");
    return switch (answer.status()) {
      case 402 -> ExitCode.PAYMENT_REFUSED;
      case 503 -> answer.payment() == null ? ExitCode.NOT_SERVED : ExitCode.IN_DOUBT;
      default -> ExitCode.NOT_SERVED;
    };
  }

  private void tell(String format, @Nullable Object... values) {
    PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
    err.printf(format + "%n", values);
    err.flush();
  }
}
