package dev.octroi.api.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.api.catalogue.Catalogue;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.Groups;
import dev.octroi.api.openapi.ApiDocument.Chapter;
import dev.octroi.api.price.PriceBook.RowPrice;
import dev.octroi.payments.Usd;
import dev.octroi.services.read.Read;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import jakarta.ws.rs.Consumes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Describes what a route, or a row behind one, is called with and answers.
 *
 * @param prices by verb and path template
 * @param catalogue what calls of what is sold are made of
 */
record Operations(
    Map<String, RowPrice> prices, Catalogue catalogue, Groups groups, ErrorResponses errors) {

  private static final String JSON = "application/json";

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
            .description(
                Descriptions.price(price) + Descriptions.note(row) + Descriptions.freshness(row));
    sold(price)
        .map(SoldParameters::of)
        .ifPresent(parameters -> parameters.forEach(operation::addParametersItem));
    paid(operation, price);
    operation.setResponses(responses(wildcard, chapter));
    success(operation, wildcard, ErrorResponses.reference(answerSchema(chapter, row)));
    return operation;
  }

  /** A row of a group that the group's vendor does not offer here. */
  Operation notOffered(Route wildcard, Read row, String path) {
    Chapter chapter = chapter(path);
    Operation operation =
        begun(wildcard, chapter)
            .operationId(Descriptions.id(chapter, row.name()))
            .summary(Descriptions.title(row.path()))
            .description(
                "Not offered by this gateway's vendor ("
                    + row.source().note()
                    + "): 501, and nothing is charged.");
    row.parameters().stream()
        .map(parameter -> parameter.name())
        .filter(name -> path.contains("{" + name + "}"))
        .forEach(name -> operation.addParametersItem(inPath(name)));
    operation.addExtension("x-not-offered", true);
    operation.setResponses(
        new ApiResponses().addApiResponse("501", new ApiResponse().description("`not_offered`")));
    return operation;
  }

  private static Parameter inPath(String name) {
    return new Parameter()
        .name(name)
        .in("path")
        .required(true)
        .description(Catalogue.parameter(name))
        .schema(new JsonSchema().typesItem("string"));
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

  /** The operation of a row that describes itself. */
  Operation of(RowPrice price) {
    dev.octroi.api.catalogue.Operation sold = catalogue.of(price.row()).orElseThrow();
    Chapter chapter = Chapter.of(price.row().group());
    Operation operation =
        new Operation()
            .addTagsItem(chapter.title())
            .security(Security.paying())
            .operationId(sold.name())
            .summary(sold.about().replaceAll("[.]$", ""))
            .description(Descriptions.price(Optional.of(price)));
    SoldParameters.of(sold).forEach(operation::addParametersItem);
    operation.setRequestBody(Bodies.of(sold, ""));
    paid(operation, Optional.of(price));
    ApiResponses responses = new ApiResponses();
    price.row().described().orElseThrow().answers().properties().stream()
        .forEach(
            answer ->
                responses.addApiResponse(answer.getKey(), OpenApiJson.response(answer.getValue())));
    if (responses.isEmpty()) {
      responses.addApiResponse(
          "200", new ApiResponse().description("The server's answer, as it is."));
    }
    responses.forEach(
        (status, answer) -> {
          if (status.startsWith("2")) {
            answer.setHeaders(Charged.added(answer.getHeaders()));
          }
        });
    responses.addApiResponse("402", errors.challenge());
    Statuses.PAID.forEach(
        status ->
            responses.computeIfAbsent(
                Integer.toString(status), absent -> errors.of(chapter, status)));
    responses.computeIfAbsent("default", absent -> errors.passedThrough());
    operation.setResponses(responses);
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
              Parameter parameter =
                  new Parameter()
                      .in("path")
                      .name(name)
                      .required(true)
                      .description(Catalogue.parameter(name))
                      .schema(schema);
              JsonNode example = route.example().path(name);
              operation.addParametersItem(
                  example.isMissingNode() ? parameter : parameter.example(example));
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
    stated(responses, route, "202", Described::acceptedSchema, "Under way: poll for it.");
    if (route.isPaid()) {
      responses.addApiResponse("402", errors.challenge());
    }
    for (int refused : Statuses.of(route, chapter)) {
      responses.addApiResponse(Integer.toString(refused), errors.of(chapter, refused));
    }
    stated(responses, route, "503", Described::unavailableSchema, "It is not so.");
    if (chapter.group().filter(Group::passesErrors).isPresent()) {
      responses.addApiResponse("default", errors.passedThrough());
    }
    return responses;
  }

  /** An answer whose schema its method states, if it does. */
  private static void stated(
      ApiResponses responses,
      Route route,
      String status,
      Function<Described, String> schema,
      String about) {
    route
        .described()
        .map(schema)
        .filter(name -> !name.isEmpty())
        .ifPresent(
            name ->
                responses.addApiResponse(
                    status,
                    new ApiResponse()
                        .description(about)
                        .content(ErrorResponses.json(ErrorResponses.reference(name)))));
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

  /**
   * @param stated what the group or the method says of its answer; where that is nothing, the
   *     schema is what is {@linkplain Answers known} of the vendor's
   */
  private static void success(Operation operation, Route route, JsonSchema stated) {
    String id = operation.getOperationId();
    boolean open = stated.equals(new JsonSchema()) || stated.equals(Answers.UNKNOWN);
    JsonSchema schema =
        open && Answers.isKnown(id) ? ErrorResponses.reference(Answers.name(id)) : stated;
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

  /** The headers of an answer that was paid for. */
  private static final class Charged {

    static final Map<String, Header> HEADERS =
        Map.of(
            "X-Price-Amount", header("What was charged, in dollars with six places."),
            "X-Price-Currency", header("`USD`."),
            "X-RateLimit-Limit", header("Calls a minute of this payer or key in this group."),
            "X-RateLimit-Remaining", header("How many of them are left."),
            "X-RateLimit-Reset", header("Seconds until the count starts anew."),
            "PAYMENT-RESPONSE",
                header("The settlement, as base64 of its JSON, of a signed payment."));

    private Charged() {}

    /** With an answer's own. */
    static Map<String, Header> added(@Nullable Map<String, Header> own) {
      Map<String, Header> all = new LinkedHashMap<>(own == null ? Map.of() : own);
      all.putAll(HEADERS);
      return all;
    }

    private static Header header(String about) {
      return new Header().description(about).schema(RecordSchemas.ofType("string"));
    }
  }

  /** Which refusals a route knows, besides the challenge. */
  private static final class Statuses {

    private static final List<Integer> ALL = List.of(404, 429, 503);
    private static final List<Integer> PAID = List.of(400, 401, 403, 409, 431, 500, 502);
    private static final List<Integer> BODY = List.of(400, 413, 415);
    private static final List<Integer> ASKING = List.of(400, 401, 403);

    private Statuses() {}

    static SortedSet<Integer> of(Route route, Chapter chapter) {
      SortedSet<Integer> statuses = new TreeSet<>(ALL);
      if (route.isPaid()) {
        statuses.addAll(PAID);
      }
      if (takesBody(route)) {
        statuses.addAll(BODY);
      }
      if (!Security.isOpen(route)) {
        statuses.addAll(ASKING);
      }
      if (route.isBound("SandboxOnly")) {
        statuses.add(403);
      }
      if (route.described().filter(one -> one.headers().length > 0).isPresent()) {
        statuses.add(401);
      }
      if (route.described().filter(one -> one.query().length > 0).isPresent()) {
        statuses.add(400);
      }
      if (route.isPaid()) {
        chapter
            .group()
            .ifPresent(
                group -> group.profile().codes().forEach(code -> statuses.add(code.status())));
      }
      return statuses;
    }

    private static boolean takesBody(Route route) {
      return route.verb().equals("PUT")
          || route.verb().equals("POST")
          || route.method().isAnnotationPresent(Consumes.class);
    }
  }

  /** The sentences and words that are made and not written. */
  private static final class Descriptions {

    private static final String COUNTED =
        "What it costs is counted from the request and told by the challenge.";
    private static final String LATER =
        "Nothing of its own: the first poll that finds the work done settles the call's payment.";

    private Descriptions() {}

    /** {@code /venue-a/wallet/:wallet} is "Venue A wallet by wallet". */
    static String title(String path) {
      List<String> words = new ArrayList<>();
      List<String> parameters = new ArrayList<>();
      for (String segment : path.substring(1).split("/", -1)) {
        if (segment.startsWith(":") || segment.startsWith("{")) {
          parameters.add(segment.replaceAll("[:{}]", "").replace('_', ' '));
        } else {
          words.add(segment.replaceAll("[-_]", " "));
        }
      }
      String title = String.join(" ", words);
      String spoken =
          title.isEmpty()
              ? "Home"
              : title.substring(0, 1).toUpperCase(Locale.ROOT) + title.substring(1);
      return parameters.isEmpty() ? spoken : spoken + " by " + String.join(" and ", parameters);
    }

    /** {@code Phone: leases a number.} without its chapter and its full stop. */
    static String summary(String about) {
      String words = about.substring(about.indexOf(':') + 1).strip().replaceAll("[.]$", "");
      return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    /** What a call costs, for people. */
    static String price(Optional<RowPrice> row) {
      if (row.isEmpty()) {
        return LATER;
      }
      Optional<Usd> fixed = row.get().now().price();
      String least = row.get().row().more() ? ", or more where more is asked for." : ".";
      return fixed.map(price -> "**" + price.dollars() + " USD** a call" + least).orElse(COUNTED);
    }

    /** The same for programs, as the extension {@code x-payment-info}. */
    static Map<String, Object> payment(Optional<RowPrice> row) {
      Map<String, Object> info = new LinkedHashMap<>();
      info.put("protocols", List.of("x402"));
      Optional<Usd> fixed = row.flatMap(one -> one.now().price());
      boolean same = fixed.isPresent() && !row.orElseThrow().row().more();
      info.put("pricingMode", row.isEmpty() ? "deferred" : same ? "fixed" : "quote");
      fixed.ifPresent(price -> info.put("price", price.dollars()));
      info.put("currency", "USD");
      return info;
    }

    static String freshness(Read row) {
      long seconds = row.freshness().toSeconds();
      return seconds == 0 ? "" : " Answers may be up to " + seconds + " seconds old.";
    }

    /** What the answer is made of, where it is not the vendor's own read. */
    static String note(Read row) {
      String note = row.source().note();
      return note.isEmpty()
          ? ""
          : " " + note.substring(0, 1).toUpperCase(Locale.ROOT) + note.substring(1) + ".";
    }

    /** {@code EXCHANGE_PRICE} of crypto data is {@code cryptodata_exchange_price}. */
    static String id(Chapter chapter, String name) {
      return (chapter.word() + "_" + name.replaceAll("([a-z])([A-Z])", "$1_$2"))
          .toLowerCase(Locale.ROOT);
    }
  }
}
