package dev.octroi.api.asset;

import dev.octroi.api.asset.Assets.Asset;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Files in a directory that all nodes share, below the first two digits of their ids. Each begins
 * with a line that tells what it is, and its time of modification is when it expires. Thread-safe.
 */
public final class FileAssets implements AssetStore {

  private static final int HEADER = 64;
  private static final int BUFFER = 64 << 10;
  private static final int FILES_A_RUN = 10_000;
  private static final String PART = ".part";

  /** A node that has not written to its part file for so long has died. */
  private static final Duration LONGEST_WRITE = Duration.ofHours(1);

  private final Path directory;

  /**
   * @param directory made if it is not there
   */
  public FileAssets(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory, rights(directory, "rwx------"));
  }

  @Override
  public void keep(Asset asset, AssetContent content) throws IOException {
    Path file = path(asset.id());
    Path part = file.resolveSibling(asset.id() + PART);
    Files.createDirectories(file.getParent(), rights(file, "rwx------"));
    try {
      write(part, asset, content);
      Files.setLastModifiedTime(part, FileTime.from(asset.expires()));
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static void write(Path part, Asset asset, AssetContent content) throws IOException {
    try (FileChannel channel =
            FileChannel.open(
                part,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                rights(part, "rw-------"));
        OutputStream out = Channels.newOutputStream(channel);
        InputStream in = new Part(content.open(), content.length())) {
      out.write(header(asset));
      byte[] buffer = new byte[BUFFER];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
      }
      channel.force(true);
    }
  }

  /** On the machine, only the gateway's own user may read what a payer got. */
  private static FileAttribute<?>[] rights(Path place, String rights) {
    return place.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))
        }
        : new FileAttribute<?>[0];
  }

  @Override
  public Optional<Asset> find(String id) throws IOException {
    Path file = path(id);
    try (InputStream in = Files.newInputStream(file)) {
      return Optional.of(asset(id, in.readNBytes(HEADER), Files.size(file) - HEADER));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public InputStream open(Asset asset, long from) throws IOException {
    InputStream in = Files.newInputStream(path(asset.id()));
    try {
      in.skipNBytes(HEADER + from);
      return in;
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  @Override
  public int expire(Instant now) throws IOException {
    int gone = 0;
    try (DirectoryStream<Path> shards = Files.newDirectoryStream(directory, Files::isDirectory)) {
      for (Path shard : shards) {
        gone += expire(shard, now, FILES_A_RUN - gone);
      }
    }
    return gone;
  }

  private static int expire(Path shard, Instant now, int most) throws IOException {
    int gone = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(shard)) {
      for (Path file : files) {
        if (gone < most && isDead(file, now) && Files.deleteIfExists(file)) {
          gone++;
        }
      }
    }
    return gone;
  }

  private static boolean isDead(Path file, Instant now) throws IOException {
    boolean part = file.toString().endsWith(PART);
    try {
      Instant end = Files.getLastModifiedTime(file).toInstant();
      return !now.isBefore(part ? end.plus(LONGEST_WRITE) : end);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private Path path(String id) {
    return directory.resolve(id.substring(0, 2)).resolve(id);
  }

  private static byte[] header(Asset asset) {
    String line =
        asset.type().extension()
            + " "
            + asset.created().getEpochSecond()
            + " "
            + asset.expires().getEpochSecond();
    return (line + " ".repeat(HEADER - 1 - line.length()) + "\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static Asset asset(String id, byte[] header, long length) throws IOException {
    String[] words = new String(header, StandardCharsets.US_ASCII).split(" ", 4);
    try {
      return new Asset(
          id,
          AssetType.ofExtension(words[0]),
          length,
          Instant.ofEpochSecond(Long.parseLong(words[1])),
          Instant.ofEpochSecond(Long.parseLong(words[2])));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IOException("this is no file of ours: " + id, e);
    }
  }
}
