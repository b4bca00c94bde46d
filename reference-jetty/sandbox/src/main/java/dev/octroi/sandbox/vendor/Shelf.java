package dev.octroi.sandbox.vendor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The files that a vendor's answers linked to, in memory: the oldest go when it is full.
 * Thread-safe.
 */
public final class Shelf {

  private static final String PREFIX = "/files/";

  private final long room;
  private final Map<String, SandboxFile> files = new LinkedHashMap<>();
  private long taken;
  private long next;

  /**
   * @param room in bytes; the latest file stays, however long it is
   */
  public Shelf(long room) {
    this.room = room;
  }

  /** Puts a file up and tells where the caller of a request reads it. */
  public synchronized String put(SandboxRequest request, String mount, SandboxFile file) {
    String path = PREFIX + Seeded.of("file", next++).hex(24);
    files.put(path, file);
    taken += file.bytes().length;
    var oldest = files.entrySet().iterator();
    while (taken > room && files.size() > 1) {
      taken -= oldest.next().getValue().bytes().length;
      oldest.remove();
    }
    return "http://" + request.headers().getOrDefault("host", "127.0.0.1") + "/" + mount + path;
  }

  /** Whether a path may be one of a file. */
  public static boolean holds(String path) {
    return path.startsWith(PREFIX);
  }

  /** The file at a path below the vendor's base address. */
  public synchronized Optional<SandboxFile> get(String path) {
    return Optional.ofNullable(files.get(path));
  }
}
