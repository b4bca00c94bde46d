package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The files with which the jar is deployed, {@code reference-jetty/deploy}. */
final class DeployFolder {

  static final Path PATH = Path.of("deploy").toAbsolutePath();

  private static final ObjectMapper JSON = new ObjectMapper();

  private DeployFolder() {}

  static String read(String file) throws IOException {
    return Files.readString(PATH.resolve(file));
  }

  /** What follows a word in the image's file, comments left out and lines that go on joined. */
  static List<String> instructions(String word) throws IOException {
    String whole =
        String.join("\n", read("Dockerfile").lines().filter(line -> !line.startsWith("#")).toList())
            .replaceAll("\\\\\n *", "");
    return whole
        .lines()
        .filter(line -> line.startsWith(word + " "))
        .map(line -> line.substring(word.length() + 1).strip())
        .toList();
  }

  /** The one command that stands there as a list. */
  static List<String> command(String word) throws IOException {
    List<String> found = instructions(word);
    assertThat(found).hasSize(1);
    String list = found.get(0).substring(found.get(0).indexOf('['));
    return new ArrayList<>(JSON.readValue(list, new TypeReference<List<String>>() {}));
  }

  /** The environment of the image. */
  static Map<String, String> environment() throws IOException {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String line : instructions("ENV")) {
      for (String pair : Arrays.asList(line.split("\\s+"))) {
        variables.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
      }
    }
    return variables;
  }
}
