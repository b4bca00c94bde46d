package dev.octroi.db;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** Where the PostgreSQL of a JVM lies: its name has the JVM's process id. */
final class ServerFolder {

  private static final String PREFIX = "octroi-postgres-";

  private static final long ROOM_BYTES = 16L << 30;

  private ServerFolder() {}

  /** A new one. */
  static Path made() throws IOException {
    Path place = place();
    try {
      forget(place);
    } catch (IOException | DirectoryIteratorException e) {
      System.out.println("PostgreSQL's former files are left for others to delete: " + e);
    }
    return Files.createTempDirectory(place, PREFIX + ProcessHandle.current().pid() + "-");
  }

  /** Deletes what JVMs have left that were killed; another one may do so at the same moment. */
  private static void forget(Path place) throws IOException {
    try (DirectoryStream<Path> former = Files.newDirectoryStream(place, PREFIX + "*")) {
      for (Path folder : former) {
        String owner = folder.getFileName().toString().substring(PREFIX.length());
        if (process(owner).isEmpty()) {
          stop(folder);
          delete(folder);
        }
      }
    }
  }

  /** Memory, if it has room: a disk takes half a minute to delete a hundred thousand files. */
  private static Path place() throws IOException {
    Path memory = Path.of("/dev/shm");
    boolean roomy =
        Files.isWritable(memory) && Files.getFileStore(memory).getUsableSpace() > ROOM_BYTES;
    return roomy ? memory : Path.of(System.getProperty("java.io.tmpdir"));
  }

  /** The process whose id a text begins with, if it runs. */
  private static Optional<ProcessHandle> process(String text) {
    String id = text.split("\\D", 2)[0];
    return id.isEmpty() ? Optional.empty() : ProcessHandle.of(Long.parseLong(id));
  }

  private static void stop(Path folder) throws IOException {
    Path file = folder.resolve("postmaster.pid");
    if (Files.exists(file)) {
      process(Files.readString(file))
          .filter(server -> server.info().command().orElse("").endsWith("postgres"))
          .filter(ProcessHandle::destroyForcibly)
          .ifPresent(server -> server.onExit().join());
    }
  }

  static void delete(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path emptied, IOException failure)
              throws IOException {
            Files.delete(emptied);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
