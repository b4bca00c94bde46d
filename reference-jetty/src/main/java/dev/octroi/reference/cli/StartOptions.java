package dev.octroi.reference.cli;

import dev.octroi.api.settings.SettingsSources;
import dev.octroi.reference.DataDirectory;
import dev.octroi.reference.ServeOptions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a gateway listens, where it keeps its state, and single settings. */
class StartOptions {

  @Option(names = "--port", description = "Port to listen on; 0 takes a free one. Default: 8402.")
  private @Nullable Integer port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "octroi-data",
      description = "Folder of the database and of generated secrets. Default: ${DEFAULT-VALUE}.")
  private Path data = Path.of("octroi-data");

  @Option(
      names = {"-s", "--set"},
      paramLabel = "KEY=VALUE",
      description = "One setting, such as gateway.http.gzip=false; may be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  Path data() {
    return data;
  }

  ServeOptions options() {
    return options(Map.of());
  }

  /**
   * The same for a command that has options of its own.
   *
   * @param more what those say; what {@code --set} says is stronger
   */
  ServeOptions options(Map<String, String> more) {
    return new ServeOptions(new DataDirectory(data), sources(more));
  }

  SettingsSources sources(Map<String, String> more) {
    Map<String, String> given = new LinkedHashMap<>(more);
    given.putAll(settings);
    if (port != null) {
      given.put("gateway.http.port", Integer.toString(port));
    }
    return SettingsSources.none()
        .values("command line", given)
        .systemProperties(System.getProperties())
        .environment(System.getenv());
  }

  /** The options that say with which settings a gateway is to run. */
  static final class GivenSettings extends StartOptions {

    @Option(names = "--config", paramLabel = "FILE", description = "Properties file with settings.")
    private @Nullable Path config;

    @Override
    SettingsSources sources(Map<String, String> more) {
      SettingsSources sources = super.sources(more);
      return config == null ? sources : sources.file(config);
    }
  }
}
