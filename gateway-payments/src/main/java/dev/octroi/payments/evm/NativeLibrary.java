package dev.octroi.payments.evm;

import fr.acinq.secp256k1.Secp256k1CFunctions;
import fr.acinq.secp256k1.jni.OSInfo;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;

/**
 * Loads the native library from its jar. The virtual machine loads files only, so that the library
 * is written to one, which is deleted as soon as it is loaded: a run leaves nothing behind, however
 * it ends.
 *
 * <p>The file lies in a fresh folder of a random name that only this process's user may enter, so
 * that no other user can have put another file there. Each class loader writes a file of its own: a
 * virtual machine does not load the same file for two of them. The binding's own loader is not
 * used, because it leaves its file behind and keeps the reason of a failure to itself.
 */
final class NativeLibrary {

  private static final String PREFIX = "octroi-secp256k1-";
  private static final String NAME = System.mapLibraryName("secp256k1-jni");

  /** Older folders belong to no process that is still loading. */
  private static final Duration LOADING = Duration.ofMinutes(1);

  private NativeLibrary() {}

  /**
   * Loads it for the class loader of this class, which must be that of the binding.
   *
   * @param place an existing folder, which is writable and not mounted {@code noexec}
   */
  static void load(Path place) throws IOException {
    Path folder = Files.createTempDirectory(place, PREFIX).toAbsolutePath();
    try {
      Path file = folder.resolve(NAME);
      try (InputStream library = open()) {
        Files.copy(library, file);
      }
      System.load(file.toString());
    } finally {
      deleteOlder(place, folder);
      delete(folder);
    }
  }

  private static InputStream open() throws IOException {
    String name = "/fr/acinq/secp256k1/jni/native/" + OSInfo.getNativeSuffix() + "/" + NAME;
    InputStream library = Secp256k1CFunctions.class.getResourceAsStream(name);
    if (library == null) {
      throw new IOException("the class path has no " + name);
    }
    return library;
  }

  /**
   * Deletes what runs left behind that were killed while they loaded, or that could not delete what
   * they had loaded, which is so on Windows.
   */
  private static void deleteOlder(Path place, Path own) {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(place, PREFIX + "*")) {
      Instant begun = made(own).toInstant();
      for (Path folder : folders) {
        // A link could lead anywhere, and another user's folder is not ours to look into.
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
            && owner(folder).equals(owner(own))
            && made(folder).toInstant().plus(LOADING).isBefore(begun)) {
          delete(folder);
        }
      }
    } catch (IOException | RuntimeException e) {
      // Another process was faster, or the folder cannot be listed: nothing depends on it.
    }
  }

  private static FileTime made(Path folder) throws IOException {
    return Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS);
  }

  private static Object owner(Path folder) throws IOException {
    return Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS);
  }

  private static void delete(Path folder) {
    try {
      Files.deleteIfExists(folder.resolve(NAME));
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      // Windows keeps what is loaded; a later run deletes it.
    }
  }
}
