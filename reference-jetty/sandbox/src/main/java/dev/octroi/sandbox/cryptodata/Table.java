package dev.octroi.sandbox.cryptodata;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Reads the tables of the sandbox's universe: one row a line, cells between bars. */
final class Table {

  private Table() {}

  static List<String> lines(String file) {
    try (InputStream in =
            Objects.requireNonNull(Table.class.getResourceAsStream(file), "missing " + file);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static <T> List<T> rows(String file, Function<String[], T> row) {
    return lines(file).stream().map(line -> row.apply(line.split("\\|", -1))).toList();
  }

  static List<String> words(String cell) {
    return cell.isEmpty() ? List.of() : List.of(cell.split(",", -1));
  }
}
