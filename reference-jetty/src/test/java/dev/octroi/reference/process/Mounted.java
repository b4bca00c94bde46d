package dev.octroi.reference.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** A file system in memory that is mounted while a test runs, which takes root's rights. */
record Mounted(Path folder) implements AutoCloseable {

  /** Mounts it with these options; where that is not allowed, the test says so and does not run. */
  static Mounted with(String options, Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    int exit;
    String said;
    try {
      Process mount =
          new ProcessBuilder("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder.toString())
              .redirectErrorStream(true)
              .start();
      said = new String(mount.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      exit = mount.waitFor();
    } catch (IOException noSuchCommand) {
      exit = -1;
      said = String.valueOf(noSuchCommand.getMessage());
    }
    String why = "NOT RUN: a file system cannot be mounted here (" + said.strip() + ")";
    if (exit != 0) {
      System.out.println(why);
    }
    Assumptions.assumeTrue(exit == 0, why);
    return new Mounted(folder);
  }

  @Override
  public void close() throws IOException {
    new ProcessBuilder("umount", "-l", folder.toString()).start().onExit().join();
  }
}
