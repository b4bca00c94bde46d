package dev.octroi.api.catalogue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.group.SoldRow;
import dev.octroi.payments.Tariff;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Something that is sold, as a caller has to know it. Its JSON is shared and never changed.
 *
 * @param name letters, digits and underscores, at most {@value #LONGEST_NAME}; unique, and the same
 *     as long as the path is
 * @param about one sentence
 * @param input JSON Schema of all arguments: path and query parameters of a GET, the members of a
 *     body of a POST
 * @param headers what a request must say besides
 * @param example arguments that satisfy the schema
 * @param tariff what prices a call; empty where the price is listed
 */
public record Operation(
    SoldRow row,
    String name,
    String about,
    ObjectNode input,
    Map<String, String> headers,
    ObjectNode example,
    Optional<Class<? extends Tariff>> tariff) {

  public Operation {
    headers = Map.copyOf(headers);
  }

  /** Some clients take no longer names of tools. */
  public static final int LONGEST_NAME = 64;

  /** Whether its arguments are a JSON body; else they are in the path and the query. */
  public boolean hasBody() {
    return row.method().equals("POST");
  }

  /** The names of the parameters in its path, in their order. */
  public List<String> pathParameters() {
    return PathTemplate.parameters(row.path());
  }

  /** The path with its parameters marked by colons, as the protocol writes templates. */
  public String routeTemplate() {
    return PathTemplate.withColons(row.path());
  }
}
