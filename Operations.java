package dev.octroi.api.openapi;

import dev.octroi.api.price.RowPrice;
import dev.octroi.services.read.Read;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.RequestBody;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import jakarta.ws.rs.Consumes;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Describes what a route, or a row behind one, is called with and answers. */
final class Operations {

  private static final String JSON = "application/json";
  private static final String FORM = "multipart/form-data";
  private static final List<Integer> PAID = List.of(400, 401, 403, 404, 409, 429, 431, 500, 502, 503);
  private static final List<Integer> FREE = List.of(404, 429, 503);
  private static final List<Integer> BODY = List.of(400, 413, 415);

  private final Map<String, RowPrice> prices;
  private final ErrorResponses errors;
  private final ExampleValues examples = ExampleValues.read();

  /**
   * @param prices by verb and path template
   */
  Operations(Map<String, RowPrice> prices, ErrorResponses errors) {
    this.prices = prices;
    this.errors = errors;
  }

  /** A row's operation. */
  Operation of(Route wildcard, Read row, String path) {
    Chapter chapter = Chapter.of(path);
    Optional<RowPrice> price = Optional.ofNullable(prices.get(wildcard.verb() + path));
    Operation operation =
        begun(wildcard, chapter)
            .operationId(Descriptions.id(chapter, row.name()))
            .summary(Descriptions.title(row.path()))
            .description(Descriptions.price(price) + Descriptions.freshness(row));
    ReadParameters.of(row, chapter.name(), examples).forEach(operation::addParametersItem);
    paid(operation, price);
    operation.setResponses(
        responses(wildcard, chapter, new ApiResponse().description("What the upstream answers.")));
    success(operation, wildcard, ErrorResponses.reference(AnswerSchemas.of(chapter, row)));
    return operation;
  }

  /** A method's own operation. */
  Operation of(Route route) {
    Chapter chapter = Chapter.of(route.path());
    Optional<Described> described = route.described();
    Operation operation =
        begun(route, chapter)
            .operationId(
                Descriptions.id(
                    chapter, route.method().getDeclaringClass().getSimpleName().replace("Resource", "") + "_" + route.method().getName()))
            .summary(described.map(Described::value).orElse(Descriptions.title(route.path())));
    String more = described.map(Described::more).orElse("");
    if (route.isPaid()) {
      Optional<RowPrice> price = Optional.ofNullable(prices.get(route.verb() + route.path()));
      paid(operation, price);
      more = (Descriptions.price(price) + " " + more).strip();
    }
    operation.setDescription(more.isEmpty() ? null : more);
    parameters(operation, route);
    body(operation, route);
    operation.setResponses(
        responses(route, chapter, new ApiResponse().description("What was asked for.")));
    success(operation, route, answer(described));
    return operation;
  }

  private static Operation begun(Route route, Chapter chapter) {
    return new Operation().addTagsItem(chapter.title()).security(Security.of(route));
  }

  private static void paid(Operation operation, Optional<RowPrice> price) {
    operation.addExtension("x-payment-info", Descriptions.payment(price));
  }

  private static void parameters(Operation operation, Route route) {
    route
        .patterns()
        .forEach(
            (name, pattern) -> {
              JsonSchema schema = RecordSchemas.ofType("string");
              if (!pattern.isEmpty()) {
                schema.setPattern("^(?:" + pattern + ")$");
              }
              operation.addParametersItem(
                  new Parameter().in("path").name(name).required(true).schema(schema));
            });
    route
        .described()
        .ifPresent(
            described -> {
              added(operation, "query", described.query());
              added(operation, "header", described.headers());
            });
  }

  private static void added(Operation operation, String place, String[] lines) {
    for (String line : lines) {
      String[] parts = line.split(": ", 2);
      boolean required = parts[0].endsWith("!");
      operation.addParametersItem(
          new Parameter()
              .in(place)
              .name(required ? parts[0].substring(0, parts[0].length() - 1) : parts[0])
              .required(required)
              .description(parts[1])
              .schema(RecordSchemas.ofType("string")));
    }
  }

  private static void body(Operation operation, Route route) {
    Optional<Described> described = route.described();
    Optional<JsonSchema> schema =
        described
            .filter(one -> one.body() != Void.class)
            .map(one -> RecordSchemas.ofBody(one.body()))
            .or(
                () ->
                    described
                        .filter(one -> !one.bodySchema().isEmpty())
                        .map(one -> ErrorResponses.reference(one.bodySchema())));
    Consumes consumes = consumes(route);
    boolean takes = schema.isPresent() || (consumes != null && takesBody(route));
    if (!takes) {
      return;
    }
    Content content = ErrorResponses.json(schema.orElseGet(() -> RecordSchemas.ofType("object")));
    described
        .filter(one -> !one.formSchema().isEmpty())
        .ifPresent(
            one ->
                content.addMediaType(
                    FORM, new MediaType().schema(ErrorResponses.reference(one.formSchema()))));
    operation.setRequestBody(new RequestBody().required(schema.isPresent()).content(content));
  }

  private static @org.jspecify.annotations.Nullable Consumes consumes(Route route) {
    Consumes own = route.method().getAnnotation(Consumes.class);
    return own == null ? route.method().getDeclaringClass().getAnnotation(Consumes.class) : own;
  }

  private static boolean takesBody(Route route) {
    return Arrays.stream(route.method().getParameterTypes())
        .anyMatch(type -> type == byte[].class || type == java.io.InputStream.class);
  }

  private ApiResponses responses(Route route, Chapter chapter, ApiResponse success) {
    ApiResponses responses = new ApiResponses();
    int status = route.described().map(Described::status).orElse(200);
    responses.addApiResponse(Integer.toString(status), success);
    route
        .described()
        .map(Described::acceptedSchema)
        .filter(name -> !name.isEmpty())
        .ifPresent(
            name ->
                responses.addApiResponse(
                    "202",
                    new ApiResponse()
                        .description("Under way: poll for it.")
                        .content(ErrorResponses.json(ErrorResponses.reference(name)))));
    if (route.isPaid()) {
      responses.addApiResponse("402", errors.challenge());
    }
    for (int refused : Statuses.of(route, chapter)) {
      responses.addApiResponse(Integer.toString(refused), errors.of(chapter, refused));
    }
    return responses;
  }

  private static JsonSchema answer(Optional<Described> described) {
    if (described.isEmpty()) {
      return new JsonSchema();
    }
    if (described.get().answer() != Void.class) {
      return RecordSchemas.ofAnswer(described.get().answer());
    }
    String name = described.get().answerSchema();
    return name.isEmpty() ? new JsonSchema() : ErrorResponses.reference(name);
  }

  private static void success(Operation operation, Route route, JsonSchema schema) {
    int status = route.described().map(Described::status).orElse(200);
    ApiResponse success = operation.getResponses().get(Integer.toString(status));
    if (status != 204) {
      Content content = new Content();
      String[] types = route.described().map(Described::answerTypes).orElse(new String[] {JSON});
      for (String type : types) {
        MediaType media = new MediaType();
        if (type.equals(JSON)) {
          media.schema(schema);
        }
        content.addMediaType(type, media);
      }
      success.content(content);
    }
    if (route.isPaid()) {
      success.headers(Charged.HEADERS);
    }
  }
}
