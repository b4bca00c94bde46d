package dev.octroi.reference.cli;

import dev.octroi.api.settings.SettingsSources;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say with which settings a gateway is to run. */
final class GivenSettings extends StartOptions {

  @Option(names = "--config", paramLabel = "FILE", description = "Properties file with settings.")
  private @Nullable Path config;

  @Override
  SettingsSources sources(Map<String, String> more) {
    SettingsSources sources = super.sources(more);
    return config == null ? sources : sources.file(config);
  }
}
