package dev.octroi.db;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The file of an H2 database, made before H2 makes it, which would let others read it. */
public final class H2Files {

  /** Schemes of H2's own before the path, such as {@code async:}. */
  private static final Pattern FILE =
      Pattern.compile("jdbc:h2:(?!mem:|tcp:|ssl:|zip:)(?:(?:async|nio|file):)*([^;]+)(;.*)?");

  private static final String ENDING = ".mv.db";

  private H2Files() {}

  /**
   * The address with which to open a database: where it is an H2 file that is not there yet, it is
   * made for its owner only, with its folder; and H2 writes no trace beside it, whose rights it
   * would choose. Any other address is returned as it is.
   *
   * @throws UncheckedIOException if the file cannot be made
   */
  public static String ownerOnly(String url) {
    Optional<String> file = file(url);
    if (file.isEmpty()) {
      return url;
    }
    String options = url.toUpperCase(Locale.ROOT);
    if (!options.contains(";IFEXISTS=TRUE")) {
      make(path(home(file.get())));
    }
    return options.contains(";TRACE_LEVEL_FILE=") ? url : url + ";TRACE_LEVEL_FILE=0";
  }

  /** The name of the file in which an address has a database; empty for one that is in none. */
  public static Optional<String> file(String url) {
    Matcher address = FILE.matcher(url);
    return address.matches() ? Optional.of(address.group(1) + ENDING) : Optional.empty();
  }

  private static String home(String path) {
    return path.startsWith("~/") ? System.getProperty("user.home") + path.substring(1) : path;
  }

  private static Path path(String file) {
    try {
      return Path.of(file).toAbsolutePath();
    } catch (InvalidPathException e) {
      throw new UncheckedIOException(
          "gateway.database.url names a file that this machine cannot have: " + file,
          new FileSystemException(file, null, "this machine's files cannot have that name"));
    }
  }

  private static void make(Path file) {
    Path folder = file.getParent();
    if (folder == null || Files.exists(file)) {
      return;
    }
    try {
      Files.createDirectories(folder, rights(folder, "rwx------"));
      Files.createFile(file, rights(folder, "rw-------"));
    } catch (FileAlreadyExistsException e) {
      // Another process has made it meanwhile.
    } catch (IOException e) {
      throw new UncheckedIOException("the file " + file + " cannot be made", e);
    }
  }

  /**
   * With which a file or folder is made, so that only its owner may use it; none where the file
   * system knows no rights.
   *
   * @param rights such as {@code rw-------}
   */
  public static FileAttribute<?>[] rights(Path place, String rights) {
    return place.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))
        }
        : new FileAttribute<?>[0];
  }
}
