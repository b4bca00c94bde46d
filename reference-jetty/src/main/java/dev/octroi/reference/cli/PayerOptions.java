package dev.octroi.reference.cli;

import dev.octroi.payments.client.Wallet;
import dev.octroi.reference.DataDirectory;
import dev.octroi.reference.DemoPayer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Whose wallet pays. */
final class PayerOptions {

  @Option(
      names = "--key-file",
      paramLabel = "F",
      description = "File with the payer's private key in hex. Default: the sandbox's demo payer.")
  private @Nullable Path keyFile;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "octroi-data",
      description = "The gateway's data folder, which holds the demo payer's key.")
  private Path data = Path.of("octroi-data");

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /**
   * The wallet to pay from.
   *
   * @param sandbox whether the gateway takes sandbox money
   * @param warning where a danger is told
   */
  Wallet wallet(boolean sandbox, Consumer<String> warning) {
    if (keyFile != null) {
      if (sandbox) {
        warning.accept(
            "warning  this gateway takes sandbox money; never use a funded mainnet key here");
      }
      return Wallet.fromHex(read(keyFile));
    }
    if (!sandbox) {
      throw new ParameterException(
          Objects.requireNonNull(spec).commandLine(),
          "this gateway takes real money: name the payer's key with --key-file");
    }
    // A sandbox funds any wallet that it sees for the first time.
    return Files.isDirectory(data) ? DemoPayer.in(new DataDirectory(data)) : Wallet.generate();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("the key file " + file + " cannot be read", e);
    }
  }
}
