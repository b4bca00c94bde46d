package dev.octroi.reference;

import dev.octroi.api.settings.DatabaseSettings;
import dev.octroi.db.H2Files;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Signatures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Supplier;

/**
 * Where a reference gateway keeps its database and the secrets that it makes for itself, readable
 * by its owner only. A gateway that is given all of them makes none.
 *
 * @param path the folder, made on first use
 */
public record DataDirectory(Path path) {

  public DataDirectory {
    path = path.toAbsolutePath().normalize();
  }

  /** Whether something was kept in it. */
  boolean isMade() {
    return Files.isDirectory(path);
  }

  /** The JDBC address of the database. */
  public String databaseUrl() {
    make();
    return DatabaseSettings.h2Url(path.resolve("octroi"));
  }

  /** The secret of that name, made on first use and the same ever after. */
  public String secret(String name, Supplier<String> fresh) {
    make();
    Path file = path.resolve(name);
    try {
      if (!Files.exists(file)) {
        keep(file, fresh.get());
      }
    } catch (FileAlreadyExistsException e) {
      // Made by another start meanwhile.
    } catch (IOException e) {
      throw CannotStart.file("The secret file " + file + " cannot be written", e);
    }
    return read(file);
  }

  /** The wallet with which a newcomer pays in the sandbox: made on first use, and kept. */
  public Wallet demoPayer() {
    return Wallet.fromHex(secret("demo-payer.key", () -> Hex.of(Signatures.newPrivateKey())));
  }

  /** Whole, and on the disk before anything is sealed by it: that would be lost with it. */
  private void keep(Path file, String secret) throws IOException {
    Path part = Files.createTempFile(path, "secret-", ".part", H2Files.rights(path, "rw-------"));
    try {
      try (FileChannel out = FileChannel.open(part, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap((secret + "\n").getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        out.force(true);
      }
      Files.move(part, file);
      if (H2Files.rights(path, "rw-------").length > 0) {
        try (FileChannel folder = FileChannel.open(path)) {
          folder.force(true);
        }
      }
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private void make() {
    try {
      Files.createDirectories(path, H2Files.rights(path, "rwx------"));
    } catch (IOException e) {
      throw CannotStart.file("The data folder " + path + " cannot be made", e);
    }
  }

  private static String read(Path file) {
    try {
      String secret = Files.readString(file).strip();
      if (secret.isEmpty()) {
        throw new FileSystemException(
            file.toString(), null, "it is empty; delete it if nothing was kept with it yet");
      }
      return secret;
    } catch (IOException e) {
      throw CannotStart.file("The secret file " + file + " cannot be read", e);
    }
  }
}
