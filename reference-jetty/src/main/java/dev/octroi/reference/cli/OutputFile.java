package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.http.BoundedBody;
import dev.octroi.reference.CannotStart;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an answer in a file: its pictures or its track where it has some, its bytes where it has
 * none. It is opened before anything is paid, so that what cannot be written costs nothing.
 *
 * <p>What stands in the file already stays until the whole answer is there: it is written beside,
 * and moved. What is no ordinary file, such as a pipe or a device, is written directly, and so is a
 * file whose folder takes no other. For one command.
 */
final class OutputFile implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final int OK = 200;
  private static final int MOST_NAMES = 100;
  private static final int MOST_BYTES = 256 << 20;

  private final Path file;

  /** What lies beside the file until it takes its place; null where the file itself is open. */
  private final @Nullable Path part;

  private final FileChannel channel;

  private OutputFile(Path file, @Nullable Path part, FileChannel channel) {
    this.file = file;
    this.part = part;
    this.channel = channel;
  }

  /**
   * Opens it, or throws with a sentence that says why it cannot be written.
   *
   * @param given of the first picture; the others are numbered before the dot of its name
   */
  static OutputFile open(Path given) throws IOException {
    Path path = given.toAbsolutePath();
    if (Files.isDirectory(path)) {
      throw unwritable(given, "it is a folder", null);
    }
    try {
      if (Files.exists(path) && (!Files.isRegularFile(path) || isOfTheSystem(path))) {
        return direct(path);
      }
      // A link stays one, and what it leads to is replaced.
      Path file = Files.exists(path) ? path.toRealPath() : path;
      if (Files.exists(file) && !Files.isWritable(file)) {
        throw unwritable(given, "it may not be written", null);
      }
      Path part = file.resolveSibling(".octroi-" + UUID.randomUUID() + ".part");
      try {
        FileChannel channel = create(part);
        part.toFile().deleteOnExit();
        return new OutputFile(file, part, channel);
      } catch (IOException noOtherFile) {
        if (Files.exists(file)) {
          return direct(file);
        }
        throw noOtherFile;
      }
    } catch (IOException e) {
      throw e instanceof Unwritable ? e : unwritable(given, CannotStart.reason(e), e);
    }
  }

  /** Opens what is there without changing it. */
  private static OutputFile direct(Path file) throws IOException {
    return new OutputFile(file, null, FileChannel.open(file, StandardOpenOption.WRITE));
  }

  /** {@code /dev/stdout} and the like may lead to an ordinary file that others have open. */
  private static boolean isOfTheSystem(Path path) {
    return path.startsWith("/dev") || path.startsWith("/proc");
  }

  private static FileChannel create(Path path) throws IOException {
    return FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  private static Unwritable unwritable(Path file, String why, @Nullable IOException cause) {
    return new Unwritable(
        "The answer cannot be written to " + file + ": " + why + ". Nothing was asked or paid.",
        cause);
  }

  /** A file that cannot be opened. */
  private static final class Unwritable extends IOException {

    private static final long serialVersionUID = 1L;

    Unwritable(String sentence, @Nullable IOException cause) {
      super(sentence, cause);
    }
  }

  /**
   * Writes what there is, all of it or nothing.
   *
   * @return a line for each file
   */
  List<String> keep(HttpClient http, URI asked, PaidAnswer answer)
      throws IOException, InterruptedException {
    List<byte[]> things = things(http, asked, answer);
    return part == null
        ? List.of(written(file, keptDirectly(things.size() == 1 ? things.get(0) : answer.body())))
        : moved(part, things);
  }

  private int keptDirectly(byte[] bytes) throws IOException {
    if (Files.isRegularFile(file) && !isOfTheSystem(file)) {
      channel.truncate(0);
    }
    write(channel, bytes);
    return bytes.length;
  }

  private List<String> moved(Path first, List<byte[]> things) throws IOException {
    List<Path> parts = new ArrayList<>(List.of(first));
    List<String> lines = new ArrayList<>();
    try {
      write(channel, things.get(0));
      for (int i = 1; i < things.size(); i++) {
        Path next = first.resolveSibling(first.getFileName() + "-" + i);
        parts.add(next);
        try (FileChannel out = create(next)) {
          write(out, things.get(i));
        }
      }
      for (int i = 0; i < things.size(); i++) {
        Path target = numbered(i);
        allowAsBefore(parts.get(i), target);
        Files.move(
            parts.get(i),
            target,
            StandardCopyOption.ATOMIC_MOVE,
            StandardCopyOption.REPLACE_EXISTING);
        lines.add(written(target, things.get(i).length));
      }
      return lines;
    } finally {
      for (Path left : parts) {
        Files.deleteIfExists(left);
      }
    }
  }

  /** Who may read the file stays as it was. */
  private static void allowAsBefore(Path part, Path target) throws IOException {
    if (Files.exists(target) && Files.getFileStore(target).supportsFileAttributeView("posix")) {
      Files.setPosixFilePermissions(part, Files.getPosixFilePermissions(target));
    }
  }

  /**
   * Writes an answer beside the file that could not be written.
   *
   * @return where it is; empty where that cannot be written either
   */
  Optional<Path> rescue(byte[] answer) {
    boolean ordinary = part != null || (Files.isRegularFile(file) && !isOfTheSystem(file));
    return ordinary ? rescue(file, answer) : Optional.empty();
  }

  /** The same beside a file of any name. */
  static Optional<Path> rescue(Path file, byte[] answer) {
    for (int i = 1; i <= MOST_NAMES; i++) {
      Path beside = file.resolveSibling(file.getFileName() + ".answer" + (i == 1 ? "" : "-" + i));
      try (FileChannel out = create(beside)) {
        try {
          write(out, answer);
          return Optional.of(beside);
        } catch (IOException full) {
          Files.deleteIfExists(beside);
          return Optional.empty();
        }
      } catch (FileAlreadyExistsException taken) {
        // Of an earlier call, and as dear as this one.
      } catch (IOException unwritable) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static void write(FileChannel out, byte[] bytes) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      out.write(left);
    }
  }

  private static String written(Path file, int bytes) {
    return file + ", " + bytes + " bytes";
  }

  /** The pictures or tracks of an answer, or the answer. */
  private static List<byte[]> things(HttpClient http, URI asked, PaidAnswer answer)
      throws IOException, InterruptedException {
    List<byte[]> things = new ArrayList<>();
    for (JsonNode one : data(answer)) {
      if (one.path("b64_json").isTextual()) {
        things.add(Base64.getDecoder().decode(one.path("b64_json").asText()));
      } else if (one.path("url").isTextual()) {
        things.add(fetch(http, asked.resolve(one.path("url").asText())));
      }
    }
    return things.isEmpty() ? List.of(answer.body()) : things;
  }

  private static JsonNode data(PaidAnswer answer) throws IOException {
    String type = answer.headers().firstValue("Content-Type").orElse("");
    return type.startsWith("application/json")
        ? JSON.readTree(answer.body()).path("data")
        : JSON.createArrayNode();
  }

  private Path numbered(int index) {
    if (index == 0) {
      return file;
    }
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length();
    return file.resolveSibling(name.substring(0, dot) + "-" + (index + 1) + name.substring(dot));
  }

  private static byte[] fetch(HttpClient http, URI url) throws IOException, InterruptedException {
    HttpResponse<byte[]> answer =
        BoundedBody.answer(http, HttpRequest.newBuilder(url).build(), MOST_BYTES, TIMEOUT);
    if (answer.statusCode() != OK) {
      throw new IOException(url + " answers " + answer.statusCode());
    }
    return answer.body();
  }

  /** Leaves nothing of what was not kept. */
  @Override
  public void close() throws IOException {
    channel.close();
    if (part != null) {
      Files.deleteIfExists(part);
    }
  }
}
