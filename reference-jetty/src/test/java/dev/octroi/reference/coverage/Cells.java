package dev.octroi.reference.coverage;

import dev.octroi.services.cryptodata.CryptoDataRead;
import dev.octroi.services.prediction.PredictionRead;
import dev.octroi.services.read.Read;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** All cells: those that were written down, and one for every read. */
final class Cells {

  static final String CRYPTO_READ = "endpoint.crypto";
  static final String PREDICTION_READ = "endpoint.prediction";

  private Cells() {}

  static List<Cell> all() throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (String line : text("cells.tsv").lines().toList()) {
      if (!line.startsWith("#")) {
        String[] columns = line.split("\t", -1);
        Cell cell = new Cell(columns[0], columns[1], columns[2]);
        cells.add(cell);
        addReads(cells, cell, CRYPTO_READ, CryptoDataRead.values());
        addReads(cells, cell, PREDICTION_READ, PredictionRead.values());
      }
    }
    return cells;
  }

  /** The cell of a read, such as {@code endpoint.crypto.exchange_price}. */
  static String id(String group, String row) {
    return group + "." + row.toLowerCase(Locale.ROOT);
  }

  private static void addReads(List<Cell> cells, Cell cell, String group, Read[] reads) {
    if (cell.id().equals(group)) {
      for (Read read : reads) {
        cells.add(new Cell(id(group, read.name()), cell.area(), "GET `" + read.path() + "`"));
      }
    }
  }

  private static String text(String name) throws IOException {
    String path = "/dev/octroi/coverage/" + name;
    try (InputStream file = Objects.requireNonNull(Cells.class.getResourceAsStream(path), path)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
