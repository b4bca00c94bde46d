package dev.octroi.reference.coverage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The reads that the test kit's data files declare an example, a schema and a check for; the kit
 * runs all of them, unpaid and paid.
 */
final class KitChecks {

  private static final String FOLDER = "gateway-api/testkit/src/main/resources/dev/octroi/testkit/";

  /** What the kit puts before the names of endpoints that are no reads. */
  private static final String POST = "POST_";

  private KitChecks() {}

  static List<Evidence> of(Sources sources) throws IOException {
    List<Evidence> found = new ArrayList<>();
    add(found, sources, Cells.CRYPTO_READ, "cryptodata.json");
    add(found, sources, Cells.PREDICTION_READ, "prediction.json");
    return found;
  }

  private static void add(List<Evidence> found, Sources sources, String group, String name)
      throws IOException {
    JsonNode rows = new ObjectMapper().readTree(sources.root().resolve(FOLDER + name).toFile());
    rows.properties()
        .forEach(row -> found.add(evidence(group, row.getKey(), row.getValue(), FOLDER + name)));
  }

  private static Evidence evidence(String group, String row, JsonNode entry, String file) {
    JsonNode check = entry.path("check");
    StringBuilder title = new StringBuilder("test kit: " + check.path("kind").asText());
    if (check.has("parameter")) {
      title.append(" by `").append(check.path("parameter").asText()).append('`');
    }
    String name = row.startsWith(POST) ? row.substring(POST.length()) : row;
    return new Evidence(Cells.id(group, name), title.toString(), file);
  }
}
