package dev.octroi.api.setup;

import dev.octroi.api.asset.AssetStore;
import dev.octroi.api.asset.Assets;
import dev.octroi.api.asset.DatabaseAssets;
import dev.octroi.api.asset.FileAssets;
import dev.octroi.api.asset.S3Assets;
import dev.octroi.api.asset.S3Bucket;
import dev.octroi.api.settings.AssetSettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.S3Settings;
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
      case S3 -> new S3Assets(bucket(settings.s3()), settings.keep());
    };
  }

  private static S3Bucket bucket(S3Settings s3) {
    return new S3Bucket(
        s3.address(),
        s3.region(),
        s3.bucket().orElseThrow(),
        s3.prefix(),
        s3.accessKey().value(),
        s3.secretKey().value());
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
