package dev.octroi.reference.cli;

import dev.octroi.payments.Usd;
import dev.octroi.payments.client.ChannelSigner;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PaidAnswer.Quote;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PayingClient.AnswerLost;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Signer;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.SandboxMoney;
import dev.octroi.payments.x402.SettlementResponse;
import dev.octroi.reference.cli.AdminClient.NoGateway;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
    description = "Call a URL and pay for it with x402.",
    footer = {
      "",
      "In the sandbox the demo payer pays. Never use a funded mainnet key with a sandbox:",
      "what you sign is valid on the real chain.",
      "",
      "Exit codes: 0 served, 1 failed, 2 wrong usage, 3 not served and not charged,",
      "4 price above --max, 5 payment refused, 6 payment in doubt (send the same payment",
      "again, by -H and the header that is shown)."
    })
final class PayCommand implements Callable<Integer> {

  private static final List<String> SCHEMES =
      List.of(PaymentOption.EXACT, PaymentOption.UPTO, PaymentOption.CHANNEL);

  private static final int LONGEST_PAUSE = 600;
  private static final int PAYMENT_REQUIRED = 402;
  private static final int SERVER_FAILS = 500;

  /** A request that timed out, or whose payment another one uses. */
  private static final Set<Integer> UNKNOWN = Set.of(408, 409);

  /** Headers by which a request pays that brings its own payment or key. */
  private static final List<String> PAYING =
      List.of(
          PaymentHeaders.PAYMENT_SIGNATURE, PaymentHeaders.X_PAYMENT, "Authorization", "x-api-key");

  private static final Path STANDARD_OUTPUT = Path.of("-");

  @Mixin private CallOptions call = new CallOptions();

  @Mixin private PayerOptions payer = new PayerOptions();

  @Option(
      names = "--max",
      paramLabel = "USD",
      defaultValue = "1",
      description = {
        "Maximum price, in dollars, and the most that is put into a channel at once.",
        "Default: ${DEFAULT-VALUE}."
      })
  private Usd max = Usd.ZERO;

  @Option(
      names = "--scheme",
      paramLabel = "SCHEME",
      defaultValue = PaymentOption.EXACT,
      description = {
        "How to pay: exact signs the price; upto signs it as the most that may be charged, where",
        "the server charges what was used; batch-settlement pays out of a channel: five prices are",
        "put into it when it holds too little. Default: ${DEFAULT-VALUE}."
      })
  private String scheme = PaymentOption.EXACT;

  @Option(
      names = "--refund",
      description = {
        "Have what is left in the channel with this server given back, and call nothing; with",
        "--scheme batch-settlement."
      })
  private boolean refund;

  @Option(names = "--dry-run", description = "Show the quote and pay nothing.")
  private boolean dryRun;

  @Option(
      names = "--json",
      description =
          "Print the receipt to stderr as one line of JSON; with --dry-run, the quote to stdout.")
  private boolean json;

  @Option(
      names = "--watch",
      description = {
        "Follow a job or a call until it ends. A job costs nothing more. Each reading of a call's",
        "record costs its price; --max limits the sum."
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
        "Write the answer to FILE and nothing to stdout. If the answer has pictures or a track, FILE",
        "holds the first, and FILE-2 the second. FILE is opened before anything is paid, and",
        "replaced when the whole answer has come. - is stdout."
      })
  private @Nullable Path output;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    HttpRequest request = call.request();
    if (!SCHEMES.contains(scheme)) {
      throw wrong("--scheme is one of " + String.join(", ", SCHEMES));
    }
    if (refund && !scheme.equals(PaymentOption.CHANNEL)) {
      throw wrong("--refund takes --scheme " + PaymentOption.CHANNEL);
    }
    if (every < 1 || every > LONGEST_PAUSE) {
      throw wrong("--every takes 1 to 600 seconds");
    }
    boolean toFile = output != null && !output.equals(STANDARD_OUTPUT) && !dryRun;
    try (OutputFile file = toFile ? OutputFile.open(Objects.requireNonNull(output)) : null) {
      return call(request, file);
    } catch (AnswerLost e) {
      tell("in doubt %s", e.getMessage());
      tellPayment(e.payment());
      return ExitCode.IN_DOUBT;
    }
  }

  private int call(HttpRequest request, @Nullable OutputFile file)
      throws IOException, InterruptedException {
    HttpClient http = QuickClient.make();
    PaidAnswer unpaid = quote(http, request);
    Quote quote = unpaid.quote();
    if (quote == null) {
      return end(http, request, unpaid, file);
    }
    String network = quote.terms().network();
    tell("quote    %s on %s to %s", quote.price(), network, quote.terms().payTo());
    if (dryRun) {
      if (json) {
        print(quote);
      }
      return ExitCode.OK;
    }
    if (!refund && quote.price().compareTo(max) > 0) {
      tell("refused  the price is above --max %s; nothing was signed", max);
      return ExitCode.TOO_EXPENSIVE;
    }
    boolean sandbox = SandboxMoney.isOn(quote.challenge(), network);
    Signer signer = payer.paying(sandbox, network, this::tell);
    Signer chosen = chosen(signer);
    if (chosen instanceof ChannelSigner asking) {
      PaidAnswer told = ask(http, request, asking, quote);
      if (!ChannelUse.MISMATCH.equals(told.refusal())) {
        return end(http, request, told, file);
      }
      ChannelSigner channel = asking.told(told, quote.terms());
      if (refund) {
        return refund(http, request, channel, quote);
      }
      channel
          .deposit(quote.terms())
          .ifPresent(put -> tell("deposit  %s into a channel of %s", put, channel.account()));
      chosen = channel;
    }
    String payment = chosen.sign(quote.challenge(), quote.terms());
    PaidAnswer answer = client(http, chosen).sendAgain(request, payment);
    if (watch) {
      Usd left = new Usd(max.micros() - quote.price().micros());
      Duration pause = Duration.ofSeconds(every);
      answer =
          new Watch(http, signer, left, pause, line -> tell("watch    %s", line))
              .follow(request.uri(), answer);
    }
    return end(http, request, answer, file);
  }

  private void print(Quote quote) {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    out.println(
        AdminClient.object()
            .put("price", quote.price().dollars())
            .put("network", quote.terms().network())
            .put("asset", quote.terms().asset())
            .put("payTo", quote.terms().payTo()));
    out.flush();
  }

  private PaidAnswer quote(HttpClient http, HttpRequest request)
      throws IOException, InterruptedException {
    try {
      return client(http, chosen(payer.asking())).quote(request);
    } catch (IOException e) {
      throw new NoGateway(request.uri(), e);
    }
  }

  /** Asks what was charged from the channel so far; a question pays for nothing. */
  private PaidAnswer ask(HttpClient http, HttpRequest request, ChannelSigner channel, Quote quote)
      throws IOException, InterruptedException {
    String question = channel.question(quote.challenge(), quote.terms());
    try {
      return client(http, channel).sendAgain(request, question);
    } catch (IOException e) {
      throw new NoGateway(request.uri(), e);
    }
  }

  /** Asks for what is left; a second time it is not given. */
  private int refund(HttpClient http, HttpRequest request, ChannelSigner channel, Quote quote)
      throws IOException, InterruptedException {
    String asked = channel.refund(quote.challenge(), quote.terms());
    PaidAnswer answer = client(http, channel).sendAgain(request, asked);
    SettlementResponse receipt = answer.receipt();
    if (receipt == null || !receipt.success()) {
      tell(
          "refused  %s", Objects.requireNonNullElse(answer.refusal(), "status " + answer.status()));
      return answer.status() < SERVER_FAILS ? ExitCode.PAYMENT_REFUSED : ExitCode.IN_DOUBT;
    }
    tell(
        "refund   %s to %s, transaction %s",
        moved(receipt).map(Usd::toString).orElse("?"), channel.account(), receipt.transaction());
    return ExitCode.OK;
  }

  /** Who signs in the scheme that is asked for. */
  private Signer chosen(Signer signer) {
    return scheme.equals(PaymentOption.CHANNEL) && signer instanceof PaymentSigner evm
        ? evm.channels(max)
        : signer;
  }

  private PayingClient client(HttpClient http, Signer signer) {
    return new PayingClient(http, signer, SpendingLimit.of(new Usd(Usd.MAX_MICROS)).by(scheme));
  }

  private int end(
      HttpClient http, HttpRequest request, PaidAnswer answer, @Nullable OutputFile file)
      throws InterruptedException {
    SettlementResponse receipt = answer.receipt();
    boolean charged = receipt != null && receipt.success();
    if (receipt != null && charged) {
      tell(receipt, charge(answer, receipt));
    }
    boolean toFile = file != null && answer.isSuccess();
    boolean kept =
        toFile
            ? keep(http, request, answer, Objects.requireNonNull(file))
            : print(answer.body(), Path.of("octroi-pay"));
    if (answer.isSuccess()) {
      return kept ? ExitCode.OK : ExitCode.FAILED;
    }
    return refused(request, answer, charged);
  }

  /** Into the file, else beside it, else to stdout: it was paid for. */
  private boolean keep(HttpClient http, HttpRequest request, PaidAnswer answer, OutputFile file)
      throws InterruptedException {
    try {
      file.keep(http, request.uri(), answer).forEach(line -> tell("written  %s", line));
      return true;
    } catch (IOException | RuntimeException e) {
      tell("failed   the answer cannot be written as asked: %s", e);
      file.rescue(answer.body())
          .ifPresentOrElse(
              beside -> tell("written  the whole answer to %s", beside),
              () -> print(answer.body(), Path.of("octroi-pay")));
      return false;
    }
  }

  /**
   * To stdout, else to a file.
   *
   * @return whether it could be written there
   */
  private boolean print(byte[] body, Path otherwise) {
    System.out.write(body, 0, body.length);
    System.out.println();
    if (!System.out.checkError()) {
      return true;
    }
    String where =
        OutputFile.rescue(otherwise.toAbsolutePath(), body)
            .map(beside -> "the whole answer is in " + beside)
            .orElse("the answer is lost");
    tell("failed   stdout is closed: %s", where);
    return false;
  }

  /**
   * Says what became of the money of a call that was not served. A server that took it says so in a
   * receipt, and this gateway says where it gave it back. Otherwise a server that refuses a call
   * has taken nothing; one that fails, or a proxy before it, may not know.
   */
  private int refused(HttpRequest request, PaidAnswer answer, boolean charged) {
    int status = answer.status();
    if (charged) {
      tell("status   %d, although the call was paid for", status);
      return ExitCode.FAILED;
    }
    boolean certain =
        answer.receipt() != null
            || answer.headers().firstValue(PaymentHeaders.PAYMENT_STATE).isPresent()
            || (status < SERVER_FAILS && !UNKNOWN.contains(status))
            || (answer.payment() == null
                && PAYING.stream().noneMatch(name -> request.headers().map().containsKey(name)));
    if (certain) {
      tell("status   %d; nothing was charged", status);
      return status == PAYMENT_REQUIRED ? ExitCode.PAYMENT_REFUSED : ExitCode.NOT_SERVED;
    }
    tell("status   %d; whether the payment was taken is not known: send the same again", status);
    if (answer.payment() != null) {
      tellPayment(answer.payment());
    }
    return ExitCode.IN_DOUBT;
  }

  /** A receipt of a channel tells what was put into it. */
  private Optional<String> charge(PaidAnswer answer, SettlementResponse receipt) {
    return answer
        .headers()
        .firstValue(PaymentHeaders.PRICE_AMOUNT)
        .or(
            () ->
                scheme.equals(PaymentOption.CHANNEL)
                    ? Optional.empty()
                    : moved(receipt).map(Usd::dollars));
  }

  /** What moved; empty where a receipt does not tell. */
  private static Optional<Usd> moved(SettlementResponse receipt) {
    return Optional.ofNullable(receipt.amount())
        .filter(amount -> amount.matches("[0-9]{1,15}"))
        .map(amount -> new Usd(Long.parseLong(amount)));
  }

  private void tell(SettlementResponse receipt, Optional<String> price) {
    if (json) {
      tell(
          "%s",
          AdminClient.object()
              .put("price", price.orElse(null))
              .put("network", receipt.network())
              .put("payer", receipt.payer())
              .put("transaction", receipt.transaction()));
    } else {
      String how =
          receipt.transaction().isEmpty() ? "by voucher" : "transaction " + receipt.transaction();
      tell("paid     %s USD by %s, %s", price.orElse("?"), receipt.payer(), how);
    }
  }

  /** What {@code -H} sends again, which is never charged twice. */
  private void tellPayment(String payment) {
    tell("payment  %s: %s", PaymentPayload.headerName(payment), payment);
  }

  private ParameterException wrong(String message) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
  }

  private void tell(String format, @Nullable Object... values) {
    PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
    err.printf(format + "%n", values);
    err.flush();
  }
}
