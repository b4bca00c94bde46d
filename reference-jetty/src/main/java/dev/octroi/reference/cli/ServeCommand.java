package dev.octroi.reference.cli;

import dev.octroi.reference.ReferenceGateway;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Starts the gateway and serves until the process is asked to end. */
@Command(
    name = "octroi",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "An x402 pay-per-call gateway. Without a command: serve.",
    footer = {
      "",
      "Every setting is a property, an environment variable or a line of the file:",
      "gateway.database.url is GATEWAY_DATABASE_URL. The stronger source wins: --set,",
      "system property, environment, file."
    })
final class ServeCommand implements Callable<Integer> {

  @Mixin private GivenSettings given = new GivenSettings();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    ReferenceGateway gateway = ReferenceGateway.start(given.options());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(gateway), "shutdown"));
    Banner.print(
        Objects.requireNonNull(spec).commandLine().getOut(), gateway, given.data().toString());
    gateway.warmUp();
    Thread.currentThread().join();
    return ExitCode.OK;
  }

  /** Lets calls in flight end. A process that drained well has not failed: it exits 0, not 143. */
  private static void end(ReferenceGateway gateway) {
    try {
      gateway.close();
      Runtime.getRuntime().halt(ExitCode.OK);
    } catch (Exception e) {
      Runtime.getRuntime().halt(ExitCode.FAILED);
    }
  }
}
