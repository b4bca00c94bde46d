package dev.octroi.api;

import dev.octroi.api.asset.AssetStore;
import dev.octroi.api.asset.Assets;
import dev.octroi.api.asset.DatabaseAssets;
import dev.octroi.api.asset.FileAssets;
import dev.octroi.api.settings.AssetSettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.payments.ledger.Statements;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Opens what keeps the files that answers link to. */
record AssetAssembly(AssetSettings settings, Optional<AssetStore> own, Clock clock) {

  Assets open(Statements statements, DataSource database) {
    AssetStore store = own.orElseGet(() -> named(statements, database));
    return new Assets(store, settings.keep(), settings.maxSize().bytes(), clock);
  }

  private AssetStore named(Statements statements, DataSource database) {
    return switch (settings.store()) {
      case DATABASE -> new DatabaseAssets(statements, database);
      case FILES -> files(settings.directory().orElseThrow());
    };
  }

  private static AssetStore files(String directory) {
    try {
      return new FileAssets(Path.of(directory));
    } catch (IOException e) {
      throw new InvalidSettings(
          List.of("gateway.assets.directory is " + directory + ", which cannot be made: " + e));
    }
  }
}
