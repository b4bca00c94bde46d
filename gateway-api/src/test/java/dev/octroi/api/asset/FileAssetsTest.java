package dev.octroi.api.asset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.asset.Assets.Asset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileAssetsTest extends AssetStoreContract {

  private static final String ID = "00112233445566778899aabbccddeeff";

  @TempDir private Path directory;
  private FileAssets store;

  @BeforeEach
  void open() throws IOException {
    store = new FileAssets(directory.resolve("made/by/the/store"));
  }

  @Override
  AssetStore store() {
    return store;
  }

  @Test
  void anotherNodeOnTheSameDirectoryFindsWhatOneHasKept() throws IOException {
    Asset asset = kept(ID, new byte[] {1, 2, 3});

    assertThat(new FileAssets(directory.resolve("made/by/the/store")).find(ID)).contains(asset);
  }

  @Test
  void aFileOfAnotherProgramIsAnErrorAndNoAsset() throws IOException {
    Path shard = Files.createDirectories(directory.resolve("made/by/the/store/00"));
    Files.writeString(shard.resolve(ID), "not ours");

    assertThatThrownBy(() -> store.find(ID)).isInstanceOf(IOException.class);
  }

  @Test
  void aPartThatADeadWriterLeftIsDeletedAfterAnHour() throws IOException {
    Path shard = Files.createDirectories(directory.resolve("made/by/the/store/00"));
    Path part = Files.writeString(shard.resolve(ID + ".part"), "begun");

    store.expire(Instant.now());
    assertThat(part).exists();
    store.expire(Instant.now().plusSeconds(3700));
    assertThat(part).doesNotExist();
  }
}
