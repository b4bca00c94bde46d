package dev.octroi.reference.process;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;

/** Does what several test processes need in turn, so that the second one finds it done. */
final class Alone {

  private Alone() {}

  /**
   * Waits for its turn; the build ends a process that never gets it.
   *
   * @param lock a file for this purpose only, which stays
   */
  static <T> T run(Path lock, Callable<T> work) throws Exception {
    Files.createDirectories(lock.getParent());
    try (FileChannel channel =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      assert held.isValid();
      return work.call();
    }
  }
}
