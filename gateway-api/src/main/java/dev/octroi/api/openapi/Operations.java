package dev.octroi.api.openapi;

import dev.octroi.api.catalogue.Catalogue;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.Groups;
import dev.octroi.api.price.RowPrice;
import dev.octroi.services.read.Read;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.Map;
import java.util.Optional;

/** Describes what a route, or a row behind one, is called with and answers. */
final class Operations {

  private static final String JSON = "application/json";

  private final Map<String, RowPrice> prices;
  private final Catalogue catalogue;
  private final Groups groups;
  private final ErrorResponses errors;

  /**
   * @param prices by verb and path template
   * @param catalogue what calls of what is sold are made of
   */
  Operations(
      Map<String, RowPrice> prices, Catalogue catalogue, Groups groups, ErrorResponses errors) {
    this.prices = prices;
    this.catalogue = catalogue;
    this.groups = groups;
    this.errors = errors;
  }

  /** The chapter that a path belongs to. */
  Chapter chapter(String path) {
    return groups.of(path).map(Chapter::of).orElseGet(() -> Chapter.own(path));
  }

  /** A row's operation. */
  Operation of(Route wildcard, Read row, String path) {
    Chapter chapter = chapter(path);
    Optional<RowPrice> price = Optional.ofNullable(prices.get(wildcard.verb() + path));
    Operation operation =
        begun(wildcard, chapter)
            .operationId(Descriptions.id(chapter, row.name()))
            .summary(Descriptions.title(row.path()))
            .description(Descriptions.price(price) + Descriptions.freshness(row));
    sold(price)
        .map(SoldParameters::of)
        .ifPresent(parameters -> parameters.forEach(operation::addParametersItem));
    paid(operation, price);
    operation.setResponses(responses(wildcard, chapter));
    success(operation, wildcard, ErrorResponses.reference(answerSchema(chapter, row)));
    return operation;
  }

  private Optional<dev.octroi.api.catalogue.Operation> sold(Optional<RowPrice> price) {
    return price.flatMap(row -> catalogue.of(row.row()));
  }

  /** A method's own operation. */
  Operation of(Route route) {
    Chapter chapter = chapter(route.path());
    Optional<Described> described = route.described();
    Optional<RowPrice> price = Optional.ofNullable(prices.get(route.verb() + route.path()));
    Optional<dev.octroi.api.catalogue.Operation> sold = sold(price);
    Operation operation =
        begun(route, chapter)
            .operationId(
                Descriptions.id(
                    chapter,
                    route.method().getDeclaringClass().getSimpleName().replace("Resource", "")
                        + "_"
                        + route.method().getName()))
            .summary(
                sold.map(one -> Descriptions.summary(one.about()))
                    .or(() -> described.map(Described::value).filter(words -> !words.isEmpty()))
                    .orElse(Descriptions.title(route.path())));
    String more = described.map(Described::more).orElse("");
    if (route.isPaid()) {
      paid(operation, price);
      more = (Descriptions.price(price) + " " + more).strip();
    }
    operation.setDescription(more.isEmpty() ? null : more);
    parameters(operation, route);
    sold.ifPresent(one -> SoldParameters.headers(one).forEach(operation::addParametersItem));
    operation.setRequestBody(
        sold.filter(dev.octroi.api.catalogue.Operation::hasBody)
            .map(one -> Bodies.of(one, described.map(Described::formSchema).orElse("")))
            .orElseGet(() -> Bodies.of(route)));
    operation.setResponses(responses(route, chapter));
    success(operation, route, answer(described));
    return operation;
  }

  private static String answerSchema(Chapter chapter, Read row) {
    return chapter.group().map(group -> group.answerSchema(row)).orElseThrow();
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

  private ApiResponses responses(Route route, Chapter chapter) {
    ApiResponses responses = new ApiResponses();
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
    if (chapter.group().filter(Group::passesErrors).isPresent()) {
      responses.addApiResponse("default", errors.passedThrough());
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
    ApiResponse success = new ApiResponse().description("What was asked for.");
    operation.getResponses().addApiResponse(Integer.toString(status), success);
    if (status != 204) {
      Content content = new Content();
      String[] types = route.described().map(Described::answerTypes).orElseGet(route::produces);
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
