package dev.octroi.reference.cli;

import dev.octroi.api.settings.SettingsSources;
import dev.octroi.reference.DataDirectory;
import dev.octroi.reference.ReferenceGateway;
import dev.octroi.reference.ServeOptions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Starts the gateway and serves until the process is asked to end. */
@Command(
    name = "octroi",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "An x402 pay-per-call gateway. Without a command: serve.",
    subcommands = {
      PayCommand.class,
      DemoCommand.class,
      SandboxCommand.class,
      KeysCommand.class,
      WalletsCommand.class,
      PaymentsCommand.class,
      PricesCommand.class,
      BooksCommand.class,
      RefundsCommand.class,
      EffectsCommand.class
    },
    footer = {
      "",
      "Every setting is a property, an environment variable or a line of the file:",
      "gateway.database.url is GATEWAY_DATABASE_URL. The stronger source wins: --set,",
      "system property, environment, file."
    })
final class ServeCommand implements Callable<Integer> {

  @Option(names = "--port", description = "Port to listen on; 0 takes a free one. Default: 8402.")
  private @Nullable Integer port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "octroi-data",
      description = "Folder of the database and of generated secrets. Default: ${DEFAULT-VALUE}.")
  private Path data = Path.of("octroi-data");

  @Option(names = "--config", paramLabel = "FILE", description = "Properties file with settings.")
  private @Nullable Path config;

  @Option(
      names = {"-s", "--set"},
      paramLabel = "KEY=VALUE",
      description = "One setting, such as gateway.http.gzip=false; may be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    ReferenceGateway gateway =
        ReferenceGateway.start(new ServeOptions(new DataDirectory(data), sources()));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(gateway), "shutdown"));
    Banner.print(Objects.requireNonNull(spec).commandLine().getOut(), gateway, data.toString());
    gateway.warmUp();
    Thread.currentThread().join();
    return ExitCode.OK;
  }

  private SettingsSources sources() {
    Map<String, String> given = new LinkedHashMap<>(settings);
    if (port != null) {
      given.put("gateway.http.port", Integer.toString(port));
    }
    SettingsSources sources =
        SettingsSources.none()
            .values("command line", given)
            .systemProperties(System.getProperties())
            .environment(System.getenv());
    return config == null ? sources : sources.file(config);
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
