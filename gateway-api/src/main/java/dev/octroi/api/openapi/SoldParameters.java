package dev.octroi.api.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.api.catalogue.Catalogue;
import dev.octroi.api.catalogue.Operation;
import dev.octroi.api.group.SoldRow.Place;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.parameters.Parameter;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Describes the parameters of what is sold, as the catalogue knows them. */
final class SoldParameters {

  private SoldParameters() {}

  private static final Map<Place, String> PLACES =
      Map.of(Place.PATH, "path", Place.REST, "path", Place.QUERY, "query", Place.HEADER, "header");

  /** Those of the path, the query and the head. */
  static List<Parameter> of(Operation sold) {
    Set<String> required = new HashSet<>(sold.pathParameters());
    sold.input().path("required").forEach(name -> required.add(name.asText()));
    return sold.input().path("properties").properties().stream()
        .filter(member -> PLACES.containsKey(sold.placeOf(member.getKey())))
        .map(
            member ->
                described(
                    member,
                    String.valueOf(PLACES.get(sold.placeOf(member.getKey()))),
                    required.contains(member.getKey()),
                    sold.example().path(member.getKey()),
                    sold.row().read().isPresent()))
        .toList();
  }

  private static Parameter described(
      Map.Entry<String, JsonNode> member,
      String place,
      boolean required,
      JsonNode example,
      boolean ofRead) {
    JsonSchema schema = OpenApiJson.schema(member.getValue());
    Parameter parameter =
        new Parameter().name(member.getKey()).in(place).required(required).schema(schema);
    String text =
        Optional.ofNullable(schema.getDescription())
            .orElseGet(() -> Catalogue.parameter(member.getKey()));
    schema.setDescription(null);
    if (schema.getItems() != null && ofRead) {
      parameter.style(Parameter.StyleEnum.FORM).explode(false);
      text += " Repeated, as `name[]`, or separated by commas.";
    }
    parameter.description(text);
    if (!example.isMissingNode()) {
      parameter.example(example);
    }
    return parameter;
  }

  /** Headers that a call must have. */
  static List<Parameter> headers(Operation sold) {
    return sold.headers().entrySet().stream()
        .map(
            header -> {
              JsonSchema schema = RecordSchemas.ofType("string");
              schema.setDefault(header.getValue());
              return new Parameter()
                  .in("header")
                  .name(header.getKey())
                  .required(true)
                  .description(Catalogue.parameter(header.getKey()))
                  .example(header.getValue())
                  .schema(schema);
            })
        .toList();
  }
}
