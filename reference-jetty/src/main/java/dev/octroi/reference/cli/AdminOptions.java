package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which gateway is operated, by which token, and how answers are printed. */
final class AdminOptions {

  @Option(
      names = "--url",
      paramLabel = "BASE",
      defaultValue = "http://127.0.0.1:8402",
      description = "The running gateway. Default: ${DEFAULT-VALUE}.")
  private URI url = URI.create("http://127.0.0.1:8402");

  @Option(
      names = "--admin-token",
      paramLabel = "TOKEN",
      description = "The operator's token. Other users of this machine can see it: prefer a file.")
  private @Nullable String token;

  @Option(
      names = "--admin-token-file",
      paramLabel = "F",
      description =
          "File with the operator's token. Default: admin-token in the data folder, for a gateway"
              + " on this machine.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "octroi-data",
      description = "The gateway's data folder. Default: ${DEFAULT-VALUE}.")
  private Path data = Path.of("octroi-data");

  @Option(names = "--json", description = "Print JSON instead of a table.")
  private boolean json;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  AdminClient client() {
    return new AdminClient(url, token());
  }

  boolean json() {
    return json;
  }

  PrintWriter out() {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }

  /** Prints the gateway's own answer or the table of it, as was asked for. */
  int show(JsonNode answer, Table table) {
    if (json) {
      out().println(answer);
      out().flush();
    } else {
      table.print(out());
    }
    return ExitCode.OK;
  }

  /** Prints the gateway's own answer or the sentence of it, as was asked for. */
  int say(JsonNode answer, String sentence) {
    out().println(json ? answer.toString() : sentence);
    out().flush();
    return ExitCode.OK;
  }

  /**
   * Revokes things for good, and says of each in which state it is.
   *
   * @param things as the interface calls them, such as {@code keys}
   */
  int revoke(String things, List<UUID> ids) throws IOException {
    for (UUID id : ids) {
      JsonNode thing = client().post(things + "/" + id + "/revoke", AdminClient.object());
      say(thing, id + " " + Table.cell(thing, "state"));
    }
    return ExitCode.OK;
  }

  /** A mistake in what was typed, as a sentence. */
  ParameterException wrong(String message) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
  }

  private String token() {
    if (token != null) {
      return token;
    }
    Path file = tokenFile == null ? data.resolve("admin-token") : tokenFile;
    if (tokenFile == null && !Files.exists(file)) {
      throw wrong(
          "There is no operator's token: "
              + file
              + " does not exist. Name the gateway's data folder with --data, or the token's file"
              + " with --admin-token-file");
    }
    if (tokenFile == null && !isThisMachine(url.getHost())) {
      throw wrong(
          "The token in "
              + file
              + " is not sent: "
              + url.getHost()
              + " is not this machine. Give the token of that gateway with --admin-token-file");
    }
    return read("token", file);
  }

  private static boolean isThisMachine(String host) {
    try {
      for (InetAddress address : InetAddress.getAllByName(host)) {
        if (!address.isLoopbackAddress() && NetworkInterface.getByInetAddress(address) == null) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * What stands in a file.
   *
   * @param what the file has, such as {@code token}
   */
  static String read(String what, Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("The " + what + " file " + file + " cannot be read", e);
    }
  }
}
