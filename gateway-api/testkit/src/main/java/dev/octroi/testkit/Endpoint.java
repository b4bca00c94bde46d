package dev.octroi.testkit;

import dev.octroi.services.read.Parameter;
import java.util.List;

/**
 * What a test of every endpoint is given: the row, and what the kit knows of it.
 *
 * @param base the base path of its group
 * @param table the enum of its row, for display
 * @param name the row's name
 * @param method GET or POST
 * @param path below the base, path parameters marked by a colon
 * @param parameters those of the row; empty for a POST, whose arguments are members of its body
 * @param sample the declared example, schema and check
 */
record Endpoint(
    String base,
    String table,
    String name,
    String method,
    String path,
    List<Parameter> parameters,
    Sample sample) {

  boolean isRead() {
    return method.equals("GET");
  }

  boolean hasInPath(Parameter parameter) {
    return List.of(path.split("/")).contains(":" + parameter.name());
  }

  /** As it stands in reports: {@code CryptoDataRead.EXCHANGE_PRICE}. */
  @Override
  public String toString() {
    return table + "." + name;
  }
}
