package dev.octroi.reference.cli;

import dev.octroi.reference.Logging;
import dev.octroi.reference.ReferenceGateway;
import dev.octroi.reference.ServeOptions;
import dev.octroi.reference.cli.StartOptions.GivenSettings;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Starts the gateway and serves until the process is asked to end. */
@Command(
    name = "serve",
    versionProvider = Version.class,
    description = "Start the gateway, and serve until the process is asked to end.",
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
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    return serve(given.options(), gateway -> Banner.print(out, gateway, given.data().toString()));
  }

  /**
   * Serves until the process is asked to end.
   *
   * @param ready is told of the gateway once it serves, unless the log says so as JSON
   */
  static int serve(ServeOptions options, Consumer<ReferenceGateway> ready) throws Exception {
    ReferenceGateway gateway = ReferenceGateway.start(options);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(gateway), "shutdown"));
    if (gateway.writesJson()) {
      Banner.log(gateway);
    } else {
      ready.accept(gateway);
    }
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

  /**
   * What a started gateway says: where it is, that its money is worthless, and what to type next.
   */
  static final class Banner {

    private Banner() {}

    static void print(PrintWriter out, ReferenceGateway gateway, String data) {
      out.printf("Octroi is ready on %s%n", gateway.baseUrl());
      if (gateway.isSandbox()) {
        out.printf(
            "  money       sandbox: worthless, any wallet starts with %s%n",
            gateway.startingBalance());
        gateway.demoPayer().ifPresent(payer -> out.printf("  demo payer  %s%n", payer));
        out.println("  warning     never pay a sandbox with a funded mainnet key");
        out.println();
        out.println("Make the first paid call:");
        out.printf(
            "  java -jar %s pay%s \"%s%s\"%n",
            jar(), folder(data), gateway.baseUrl(), gateway.firstCall());
        out.println("Or make an API key, for callers that cannot sign:");
        out.printf(
            "  java -jar %s keys create%s --url %s --name first%n",
            jar(), folder(data), gateway.baseUrl());
        if (gateway.hasConsole()) {
          out.printf("Watch it in a browser, with the token in %s/admin-token:%n", data);
          out.printf("  %s/console%n", gateway.baseUrl());
        }
      }
      out.flush();
    }

    /** The first of it, as a line of the log. */
    static void log(ReferenceGateway gateway) {
      LoggerFactory.getLogger(Logging.START)
          .info(
              "Octroi is ready on {} for {}",
              gateway.baseUrl(),
              gateway.isSandbox() ? "the sandbox's worthless money" : "real money");
    }

    static String folder(String data) {
      return data.equals("octroi-data") ? "" : " --data " + data;
    }

    static String jar() {
      String classPath = System.getProperty("java.class.path", "");
      return classPath.endsWith(".jar") && !classPath.contains(java.io.File.pathSeparator)
          ? classPath
          : "octroi.jar";
    }
  }
}
