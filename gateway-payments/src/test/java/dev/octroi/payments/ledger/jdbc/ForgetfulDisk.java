package dev.octroi.payments.ledger.jdbc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * Files of H2 on a disk that keeps, when the power goes, what was synced and the first of what was
 * not: {@code jdbc:h2:forgetful:…}. One database at a time.
 */
public final class ForgetfulDisk extends FilePathWrapper {

  private static final String DATABASE = ".mv.db";

  /** What happens at a write, before it is done. */
  interface AtWrite {
    void run() throws IOException;
  }

  private static Platter platter = new Platter(() -> {});

  /** An empty disk, and what is told of each write, in the midst of it. */
  static Platter insert(AtWrite atWrite) {
    FilePath.register(new ForgetfulDisk());
    platter = new Platter(atWrite);
    return platter;
  }

  @Override
  public String getScheme() {
    return "forgetful";
  }

  @Override
  public FileChannel open(String mode) throws IOException {
    FileChannel file = getBase().open(mode);
    return name.endsWith(DATABASE) ? new Channel(file, platter) : file;
  }

  /** A write at a position; or the end of the file, where there are no bytes. */
  private record Change(int position, byte[] bytes) {}

  /** What is on the disk. */
  static final class Platter {

    private final AtWrite atWrite;
    private final List<Change> unsynced = new ArrayList<>();
    private byte[] kept = new byte[0];
    private int syncs;

    private Platter(AtWrite atWrite) {
      this.atWrite = atWrite;
    }

    synchronized int syncs() {
      return syncs;
    }

    /** One of the files that may be found if the power goes now. */
    synchronized byte[] afterLossOfPower(Random random) {
      byte[] image = kept.clone();
      for (Change change : unsynced.subList(0, random.nextInt(unsynced.size() + 1))) {
        image = after(change, image);
      }
      return image;
    }

    private synchronized void note(long position, byte[] bytes) {
      unsynced.add(new Change(Math.toIntExact(position), bytes));
    }

    private synchronized void sync() {
      syncs++;
      for (Change change : unsynced) {
        kept = after(change, kept);
      }
      unsynced.clear();
    }

    private static byte[] after(Change change, byte[] file) {
      if (change.bytes.length == 0) {
        return Arrays.copyOf(file, change.position);
      }
      int end = change.position + change.bytes.length;
      byte[] changed = end > file.length ? Arrays.copyOf(file, end) : file.clone();
      System.arraycopy(change.bytes, 0, changed, change.position, change.bytes.length);
      return changed;
    }
  }

  /** A file that is really written, so that it can be read. */
  private static final class Channel extends FileBaseDefault {

    private final FileChannel file;
    private final Platter platter;

    private Channel(FileChannel file, Platter platter) {
      this.file = file;
      this.platter = platter;
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
      byte[] bytes = new byte[from.remaining()];
      from.duplicate().get(bytes);
      platter.note(position, bytes);
      platter.atWrite.run();
      return file.write(from, position);
    }

    @Override
    protected void implTruncate(long size) throws IOException {
      platter.note(size, new byte[0]);
      file.truncate(size);
    }

    @Override
    public void force(boolean metadata) throws IOException {
      platter.sync();
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
      return file.read(into, position);
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
      return file.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      file.close();
    }
  }
}
