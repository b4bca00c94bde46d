package dev.octroi.reference.cli;

import dev.octroi.reference.CannotStart;
import dev.octroi.sandbox.Sandbox;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the upstreams alone, for a gateway in another process, until it is asked to end. */
@Command(
    name = "sandbox",
    description = "Run the sandbox's upstreams alone, for a gateway that runs elsewhere.")
final class SandboxCommand implements Callable<Integer> {

  @Option(
      names = "--port",
      defaultValue = "8403",
      description = "Loopback port; 0 takes a free one. Default: ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--public-contracts",
      description =
          "Offer only what the vendors' public contracts have. Set for the gateway:"
              + " gateway.prediction.beyond-contract= and gateway.cryptodata.beyond-contract= empty.")
  private boolean publicContracts;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Sandbox sandbox = start();
    Runtime.getRuntime().addShutdownHook(new Thread(sandbox::close, "shutdown"));
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    out.printf("The sandbox's upstreams are on %s%n", sandbox.url());
    out.printf("Set for the gateway: gateway.sandbox.url=%s%n", sandbox.url());
    out.flush();
    Thread.currentThread().join();
    return ExitCode.OK;
  }

  private Sandbox start() {
    try {
      return Sandbox.start(port, publicContracts);
    } catch (IllegalStateException e) {
      throw CannotStart.taken("127.0.0.1", port, e);
    }
  }
}
