package dev.octroi.reference.cli;

import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.db.UnsupportedSchema;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PayingClient.PaymentDeclined;
import dev.octroi.reference.cli.AdminClient.AdminRefused;
import java.io.IOException;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The main class of {@code octroi.jar}. */
public final class Octroi {

  /**
   * Where the machine has two cores, the common pool has one thread, and a JDK before 25 then
   * starts a thread for every answer of an upstream.
   */
  private static final String COMMON_POOL = "java.util.concurrent.ForkJoinPool.common.parallelism";

  /** Jetty else starts the platform's management to find it out: a fiftieth of the whole start. */
  private static final String CACHE_LINE = "org.eclipse.jetty.util.referencesPerCacheLine";

  private Octroi() {}

  /** Runs one command; without one, serves. */
  public static void main(String[] arguments) {
    if (Runtime.getRuntime().availableProcessors() < 3) {
      unlessSet(COMMON_POOL, "2");
    }
    unlessSet(CACHE_LINE, "16");
    System.exit(commandLine(arguments).execute(arguments));
  }

  private static void unlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  static CommandLine commandLine(String... arguments) {
    CommandLine line = new CommandLine(new ServeCommand());
    Commands.addTo(line, arguments);
    return line.registerConverter(Usd.class, Usd::parse)
        .setCaseInsensitiveEnumValuesAllowed(true)
        // An argument that starts with @ is a body's file, not more arguments.
        .setExpandAtFiles(false)
        .setExecutionExceptionHandler(Octroi::explain);
  }

  /** Says what to change, without a stack trace, where the cause is known. */
  private static int explain(Exception thrown, CommandLine command, ParseResult parsed)
      throws Exception {
    if (thrown instanceof AdminRefused) {
      command.getErr().println(message(thrown));
      return ExitCode.NOT_SERVED;
    }
    if (thrown instanceof InvalidSettings
        || thrown instanceof UnsupportedSchema
        || thrown instanceof PaymentDeclined
        || thrown instanceof UncheckedIOException
        || thrown instanceof IOException
        || thrown instanceof IllegalArgumentException) {
      command.getErr().println(message(thrown));
      return ExitCode.FAILED;
    }
    throw thrown;
  }

  private static String message(Exception thrown) {
    return thrown.getMessage() == null ? thrown.getClass().getSimpleName() : thrown.getMessage();
  }
}
