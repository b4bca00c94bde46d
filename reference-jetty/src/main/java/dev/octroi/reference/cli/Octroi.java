package dev.octroi.reference.cli;

import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.Words;
import dev.octroi.db.UnsupportedSchema;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PayingClient.PaymentDeclined;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.reference.CannotStart;
import dev.octroi.reference.Logging;
import dev.octroi.reference.cli.AdminClient.AdminRefused;
import dev.octroi.reference.cli.KeysCommand.LimitOptions.Limit;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/** The main class of {@code octroi.jar}. */
public final class Octroi {

  /**
   * Where the machine has two cores, the common pool has one thread, and a JDK before 25 then
   * starts a thread for every answer of an upstream.
   */
  private static final String COMMON_POOL = "java.util.concurrent.ForkJoinPool.common.parallelism";

  /** Jetty else starts the platform's management to find it out: a fiftieth of the whole start. */
  private static final String CACHE_LINE = "org.eclipse.jetty.util.referencesPerCacheLine";

  private static final long LONGEST_END = 200;

  private Octroi() {}

  /** Runs one command; without one, serves. */
  public static void main(String[] arguments) {
    if (Runtime.getRuntime().availableProcessors() < 3) {
      unlessSet(COMMON_POOL, "2");
    }
    unlessSet(CACHE_LINE, "16");
    if (arguments.length > 0 && arguments[0].equals("pay")) {
      Rehearsal.begin();
    }
    int code = commandLine(arguments).execute(arguments);
    if (code == ExitCode.OK && System.out.checkError()) {
      System.err.println("The command was done, and not all could be printed.");
      code = ExitCode.FAILED;
    }
    endClients();
    System.exit(code);
  }

  /**
   * Ends the threads of HTTP clients. The virtual machine gives a thread that waits in the system
   * 0.3 s at its end.
   */
  private static void endClients() {
    Thread[] threads = new Thread[Thread.activeCount() + 8];
    int count = Thread.enumerate(threads);
    try {
      for (int i = 0; i < count; i++) {
        if (threads[i].getName().endsWith("-SelectorManager")) {
          threads[i].interrupt();
          threads[i].join(LONGEST_END);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void unlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /** The command line with those commands that these arguments may mean. */
  static CommandLine commandLine(String... arguments) {
    // Options are read by reflection: those of serving only where the gateway may serve.
    boolean named = arguments.length > 0 && Commands.isOne(arguments[0]);
    CommandLine line =
        named ? new CommandLine(CommandSpec.create()) : helped(new CommandLine(new ServeCommand()));
    line.setCommandName("octroi");
    line.getCommandSpec()
        .usageMessage()
        .description("An x402 pay-per-call gateway. Without a command it serves.");
    Commands.addTo(line, arguments);
    return line.registerConverter(Usd.class, Typed::amount)
        .registerConverter(UUID.class, Typed::id)
        .registerConverter(URI.class, Typed::address)
        .registerConverter(Limit.class, Limit::typed)
        .setCaseInsensitiveEnumValuesAllowed(true)
        // An argument that starts with @ is a body's file, not more arguments.
        .setExpandAtFiles(false)
        .setExecutionStrategy(Octroi::run)
        .setParameterExceptionHandler((wrong, given) -> misused(wrong))
        .setExecutionExceptionHandler((thrown, command, parsed) -> explain(thrown, command));
  }

  /**
   * With {@code --help} and {@code --version}, as are all commands of it. Of a method they come
   * before its own options, where the parser looks for them when it calls it.
   */
  private static CommandLine helped(CommandLine line) {
    CommandSpec command = line.getCommandSpec();
    List<ArgSpec> own =
        command.userObject() instanceof Method ? List.copyOf(command.args()) : List.of();
    own.forEach(command::remove);
    command.mixinStandardHelpOptions(true);
    own.forEach(command::add);
    // A command with an alias is there twice.
    line.getSubcommands().values().stream().distinct().forEach(Octroi::helped);
    return line;
  }

  private static int run(ParseResult parsed) {
    ParseResult one = parsed;
    for (; one.hasSubcommand(); one = one.subcommand()) {
      if (!asksForHelp(one) && !one.matchedOptions().isEmpty()) {
        throw Commands.early(
            one.matchedOptions().get(0).longestName(),
            one.subcommand().commandSpec().commandLine());
      }
    }
    CommandSpec last = one.commandSpec();
    if (!asksForHelp(one) && isNothingAlone(last)) {
      throw incomplete(last.commandLine());
    }
    return new RunLast().execute(parsed);
  }

  private static boolean asksForHelp(ParseResult parsed) {
    return parsed.isUsageHelpRequested() || parsed.isVersionHelpRequested();
  }

  /** Whether a command is nothing without one of its own commands. */
  private static boolean isNothingAlone(CommandSpec command) {
    return !command.subcommands().isEmpty() && !(command.userObject() instanceof Callable);
  }

  /** Says what is wrong with what was typed, what was perhaps meant, and the usage in short. */
  private static int misused(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    tell(command, misuse(wrong));
    PrintWriter err = command.getErr();
    if (!UnmatchedArgumentException.printSuggestions(wrong, err)
        && wrong instanceof UnmatchedArgumentException unmatched) {
      Words.closest(
              unmatched.getUnmatched().get(0).replaceFirst("=.*", ""),
              command.getCommandSpec().optionsMap().keySet())
          .ifPresent(option -> err.printf("Did you mean: %s?%n", option));
    }
    err.print(command.getHelp().fullSynopsis());
    err.printf("'%s --help' explains it.%n", name(command));
    err.flush();
    return ExitCode.USAGE;
  }

  /** In words without the parser's own. */
  private static String misuse(ParameterException wrong) {
    return wrong instanceof UnmatchedArgumentException unmatched
        ? "%s does not know '%s'"
            .formatted(name(wrong.getCommandLine()), unmatched.getUnmatched().get(0))
        : String.valueOf(wrong.getMessage())
            .replaceFirst(
                "^Invalid value for positional parameter at index \\d+ \\((.*?)\\): ", "$1: ");
  }

  private static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName();
  }

  private static ParameterException incomplete(CommandLine command) {
    return new ParameterException(
        command,
        "Name a command of "
            + name(command)
            + ": "
            + String.join(", ", command.getSubcommands().keySet()));
  }

  /** Says what is wrong and what to change. The stack trace is for the log. */
  private static int explain(Exception thrown, CommandLine command) {
    String sentence = sentence(thrown);
    if (!Logging.failed(sentence, thrown)) {
      tell(command, sentence);
    }
    return thrown instanceof AdminRefused ? ExitCode.NOT_SERVED : ExitCode.FAILED;
  }

  private static void tell(CommandLine command, String sentence) {
    command.getErr().println(command.getColorScheme().errorText(whole(sentence)));
    command.getErr().flush();
  }

  /** With a capital and a full stop, unless it is a list. */
  private static String whole(String sentence) {
    String capital = Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1);
    return sentence.contains("\n") || sentence.matches(".*[.!?]") ? capital : capital + ".";
  }

  private static String sentence(Exception thrown) {
    String message = thrown.getMessage();
    if (message != null && !message.isBlank() && isForPeople(thrown)) {
      boolean missing =
          thrown instanceof UncheckedIOException
              && thrown.getCause() instanceof NoSuchFileException;
      return missing ? message + ": it does not exist" : message;
    }
    if (thrown instanceof MalformedPayment) {
      return "The server's offer cannot be read. " + message;
    }
    return "This failed unexpectedly: "
        + thrown.getClass().getSimpleName()
        + (message == null
            ? ""
            : ", " + message.lines().findFirst().orElse("").replaceFirst("\\.$", ""))
        + ". OCTROI_LOG_LEVEL=INFO shows where";
  }

  private static boolean isForPeople(@Nullable Throwable thrown) {
    return thrown instanceof CannotStart
        || thrown instanceof AdminRefused
        || thrown instanceof InvalidSettings
        || thrown instanceof UnsupportedSchema
        || thrown instanceof PaymentDeclined
        || thrown instanceof UncheckedIOException
        || thrown instanceof IOException
        || thrown instanceof IllegalArgumentException;
  }

  /**
   * The commands. Only those that are asked for are made: to read the options of all of them takes
   * a tenth of the time that a gateway has to be ready in.
   */
  static final class Commands {

    /** What a command does unless another of its commands is named. */
    static final String LIST = "list";

    private static final Map<String, Supplier<Object>> ALL = all();

    private Commands() {}

    private static Map<String, Supplier<Object>> all() {
      Map<String, Supplier<Object>> all = new LinkedHashMap<>();
      all.put("serve", ServeCommand::new);
      all.put("doctor", DoctorCommand::new);
      all.put("pay", PayCommand::new);
      all.put("demo", DemoCommand::new);
      all.put("sell", SellCommand::new);
      all.put("sandbox", SandboxCommand::new);
      all.put("keys", KeysCommand::new);
      all.put("wallets", WalletsCommand::new);
      all.put("payments", PaymentsCommand::new);
      all.put("prices", PricesCommand::new);
      all.put("changes", ChangesCommand::new);
      all.put("books", BooksCommand::new);
      all.put("refunds", RefundsCommand::new);
      all.put("effects", EffectsCommand::new);
      all.put("node", NodeCommand::new);
      all.put("operators", OperatorsCommand::new);
      all.put("completion", CompletionCommand::new);
      return all;
    }

    /** A command that has a list lists, unless the next word names another of its commands. */
    private static CommandLine listing(CommandLine line) {
      if (line.getSubcommands().containsKey(LIST)) {
        CommandSpec command = line.getCommandSpec();
        command.usageMessage().footer("", "Without a command it lists.");
        command.preprocessor(
            (typed, of, option, info) -> {
              if (typed.isEmpty()
                  || (typed.peek().startsWith("-") && command.findOption(typed.peek()) == null)) {
                for (Map.Entry<String, CommandLine> later : command.subcommands().entrySet()) {
                  if (typed.contains(later.getKey())) {
                    throw early(typed.peek(), later.getValue());
                  }
                }
                typed.push(LIST);
              }
              return false;
            });
      }
      return line;
    }

    /** An option before a command would be the option of another command, and be ignored. */
    static ParameterException early(String option, CommandLine after) {
      return new ParameterException(
          after, option + " stands before the command. Write it after " + name(after));
    }

    /** Whether that is the name of a command. */
    static boolean isOne(String word) {
      return ALL.containsKey(word);
    }

    /**
     * Adds those that these arguments may mean; all of them where none is named but asked about.
     */
    static void addTo(CommandLine line, String... arguments) {
      List<String> given = Arrays.asList(arguments);
      boolean named = ALL.keySet().stream().anyMatch(given::contains);
      boolean serves = given.isEmpty() || given.get(0).startsWith("-");
      boolean asked = given.contains("--help") || given.contains("-h");
      if (asked || !serves) {
        line.addSubcommand("help", new HelpCommand());
      }
      ALL.forEach(
          (name, command) -> {
            if (given.contains(name) || (!named && (asked || !serves))) {
              line.addSubcommand(name, listing(helped(new CommandLine(command.get()))));
            }
          });
    }
  }

  /**
   * Loads what a payment needs, beside the command that is being read: JSON and the curve take a
   * third of the time of {@code pay}. Signs an offer of nothing with a fresh key and sends it
   * nowhere.
   */
  static final class Rehearsal {

    private static final String OFFER =
        """
      {"x402Version":2,"resource":{"url":"http://127.0.0.1/"},"accepts":[{"scheme":"exact",
      "network":"eip155:8453","amount":"1","asset":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
      "payTo":"0x0000000000000000000000000000000000008402","maxTimeoutSeconds":60,
      "extra":{"name":"USD Coin","version":"2"}}]}
      """;

    private Rehearsal() {}

    /** Begins, and returns at once. What fails here fails again where it is needed, and is said. */
    static void begin() {
      Thread thread = new Thread(Rehearsal::run, "rehearsal");
      thread.setDaemon(true);
      thread.start();
    }

    private static void run() {
      try {
        PaymentRequired challenge =
            PaymentRequired.readBody(OFFER.getBytes(StandardCharsets.UTF_8));
        new PaymentSigner(Wallet.generate(), Clock.systemUTC())
            .sign(challenge, challenge.accepts().get(0));
      } catch (RuntimeException e) {
        // The command meets it too.
      }
    }
  }
}
