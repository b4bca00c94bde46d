package dev.octroi.reference.cli;

import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaymentDeclined;
import java.io.IOException;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The main class of {@code octroi.jar}. */
public final class Octroi {

  private Octroi() {}

  /** Runs one command; without one, serves. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new ServeCommand())
        .registerConverter(Usd.class, Usd::parse)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(Octroi::explain);
  }

  /** Says what to change, without a stack trace, where the cause is known. */
  private static int explain(Exception thrown, CommandLine command, ParseResult parsed)
      throws Exception {
    if (thrown instanceof InvalidSettings
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
