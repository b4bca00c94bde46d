package dev.octroi.api.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Operation;
import dev.octroi.api.discovery.Storefront;
import dev.octroi.api.discovery.Storefront.PricedOperation;
import dev.octroi.api.mcp.ToolCalls.ToolAnswers;
import dev.octroi.api.openapi.Answers;
import dev.octroi.payments.Usd;
import dev.octroi.services.JarResource;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tools by which an agent finds, understands and calls any operation, so that it need not read
 * them all: {@code find}, {@code describe} and {@code call}. Their texts and schemas are in {@code
 * tools.json}. Thread-safe.
 */
final class CatalogueTools {

  private static final String FIND = "find";
  private static final String DESCRIBE = "describe";
  private static final int PAGE = 10;
  private static final int LONGEST_PAGE = 50;
  private static final int LONGEST_WORDS = 200;

  private final Storefront storefront;
  private final ToolCalls calls;
  private final Definitions definitions = Definitions.read();

  CatalogueTools(Storefront storefront, ToolCalls calls) {
    this.storefront = storefront;
    this.calls = calls;
  }

  /**
   * What is written of the tools.
   *
   * @param featured the operations that are listed beside them, the most used first
   */
  record Definitions(List<Tool> tools, List<String> featured) {

    static Definitions read() {
      try {
        return ToolJson.INSTANCE.readValue(
            JarResource.bytes(Definitions.class, "tools.json"), Definitions.class);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  List<String> featured() {
    return definitions.featured();
  }

  /** The tools, told of the groups that there are. */
  List<SyncToolSpecification> tools(List<PricedOperation> listings) {
    return definitions.tools().stream()
        .map(
            tool ->
                SyncToolSpecification.builder()
                    .tool(tool.name().equals(FIND) ? told(tool, listings) : tool)
                    .callHandler(
                        (exchange, request) ->
                            misnamed(tool, request)
                                .orElseGet(
                                    () ->
                                        switch (tool.name()) {
                                          case FIND -> find(request);
                                          case DESCRIBE -> describe(request);
                                          default -> call(exchange, request);
                                        }))
                    .build())
        .toList();
  }

  private CallToolResult call(McpSyncServerExchange exchange, CallToolRequest request) {
    return named(request)
        .map(sold -> calls.call(sold.operation(), exchange, inner(request, sold)))
        .orElseGet(() -> unknown(request));
  }

  /** Refuses an argument that a tool does not have: an agent would not see that it is ignored. */
  private static Optional<CallToolResult> misnamed(Tool tool, CallToolRequest request) {
    JsonNode known = ToolJson.INSTANCE.tree(tool.inputSchema()).path("properties");
    return arguments(request)
        .propertyStream()
        .map(Map.Entry::getKey)
        .filter(name -> !known.has(name))
        .findFirst()
        .map(
            name ->
                ToolAnswers.refused(
                    "%s takes no '%s', but %s."
                        .formatted(
                            tool.name(),
                            name,
                            known
                                .propertyStream()
                                .map(Map.Entry::getKey)
                                .collect(Collectors.joining(", ")))));
  }

  private static Tool told(Tool tool, List<PricedOperation> listings) {
    Map<String, Long> groups =
        listings.stream()
            .collect(
                Collectors.groupingBy(
                    listing -> listing.operation().row().group().word(),
                    LinkedHashMap::new,
                    Collectors.counting()));
    String counts =
        groups.entrySet().stream()
            .map(group -> group.getKey() + " (" + group.getValue() + ")")
            .collect(Collectors.joining(", "));
    return Tool.builder(tool.name(), tool.inputSchema())
        .title(tool.title())
        .description(tool.description() + counts + ".")
        .outputSchema(tool.outputSchema())
        .annotations(tool.annotations())
        .build();
  }

  /** What an agent is told of one operation among others. */
  private static ObjectNode brief(PricedOperation listing) {
    ObjectNode brief = ToolJson.INSTANCE.object();
    brief.put("name", listing.operation().name());
    brief.put("group", listing.operation().row().group().word());
    brief.put("about", listing.operation().about());
    brief
        .putObject("price")
        .put("amount", listing.price().dollars())
        .put("currency", "USD")
        .put("fixed", listing.isFixed());
    return brief;
  }

  private CallToolResult find(CallToolRequest request) {
    ObjectNode asked = arguments(request);
    String words = asked.path("words").asText();
    Usd most = new Usd(Usd.MAX_MICROS);
    try {
      most = asked.hasNonNull("max_price") ? Usd.parse(asked.get("max_price").asText()) : most;
    } catch (IllegalArgumentException e) {
      return ToolAnswers.refused("max_price is plain dollars, such as 0.01.");
    }
    if (words.length() > LONGEST_WORDS) {
      return ToolAnswers.refused("words has at most " + LONGEST_WORDS + " characters.");
    }
    String group = asked.path("group").asText();
    int limit = Math.min(Math.max(asked.path("limit").asInt(PAGE), 1), LONGEST_PAGE);
    Usd highest = most;
    List<PricedOperation> fitting =
        WordSearch.of(words)
            .ranked(
                storefront.listings().stream()
                    .filter(one -> one.price().compareTo(highest) <= 0)
                    .filter(
                        one ->
                            group.isEmpty() || one.operation().row().group().word().equals(group))
                    .toList());
    return NamedPage.of(fitting, asked.path("cursor").asText(), limit, CatalogueTools::name)
        .map(
            page -> {
              ObjectNode found = ToolJson.INSTANCE.object().put("total", fitting.size());
              ArrayNode operations = found.putArray("operations");
              page.rows().forEach(one -> operations.add(brief(one)));
              page.next().ifPresent(cursor -> found.put("nextCursor", cursor));
              return ToolAnswers.told(found);
            })
        .orElseGet(() -> ToolAnswers.refused("cursor is the nextCursor of the page before."));
  }

  private CallToolResult describe(CallToolRequest request) {
    return named(request)
        .map(
            listing -> {
              Operation operation = listing.operation();
              ObjectNode told = brief(listing);
              told.put("title", operation.title());
              told.put("effect", operation.effect().name().toLowerCase(Locale.ROOT));
              told.set("arguments", operation.input());
              told.set("example", operation.example());
              Answers.of(operation).ifPresent(answer -> told.set("answer", answer));
              return ToolAnswers.told(told);
            })
        .orElseGet(() -> unknown(request));
  }

  private Optional<PricedOperation> named(CallToolRequest request) {
    String name = arguments(request).path("name").asText();
    return storefront.listings().stream().filter(one -> name(one).equals(name)).findFirst();
  }

  /** The same call as if the operation's own tool had been called. */
  private static CallToolRequest inner(CallToolRequest request, PricedOperation sold) {
    JsonNode arguments = arguments(request).path("arguments");
    return new CallToolRequest(
        name(sold),
        arguments.isObject() ? ToolJson.INSTANCE.map(arguments) : Map.of(),
        request.meta());
  }

  private static CallToolResult unknown(CallToolRequest request) {
    return ToolAnswers.refused(
        "There is no operation '"
            + arguments(request).path("name").asText()
            + "'; the tool find tells the names.");
  }

  private static ObjectNode arguments(CallToolRequest request) {
    return ToolJson.INSTANCE.tree(Optional.ofNullable(request.arguments()).orElse(Map.of()));
  }

  private static String name(PricedOperation listing) {
    return listing.operation().name();
  }

  /**
   * Some of many in a stable order; the cursor is the name of a page's last row.
   *
   * @param next asks for the page after this one
   */
  record NamedPage<T>(List<T> rows, Optional<String> next) {

    /**
     * The page after a cursor.
     *
     * @param after the cursor; {@code ""} for the first page
     * @return empty where no row has that name
     */
    static <T> Optional<NamedPage<T>> of(
        List<T> all, String after, int size, Function<T, String> name) {
      List<String> names = all.stream().map(name).toList();
      int begin = after.isEmpty() ? 0 : names.indexOf(after) + 1;
      if (!after.isEmpty() && begin == 0) {
        return Optional.empty();
      }
      int end = Math.min(begin + size, all.size());
      return Optional.of(
          new NamedPage<>(
              all.subList(begin, end),
              end < all.size() ? Optional.of(names.get(end - 1)) : Optional.empty()));
    }
  }

  /**
   * Words that a caller looks for.
   *
   * @param words lower case, without the ending of a plural
   */
  private record WordSearch(List<String> words) {

    /** Of these every operation has some, so that they tell none from another. */
    private static final Set<String> PASSED_OVER =
        Set.of(
            "a", "all", "an", "and", "are", "at", "by", "for", "from", "how", "in", "is", "it",
            "of", "on", "or", "some", "the", "to", "what", "which", "with");

    private record Ranked(PricedOperation listing, int hits) {}

    static WordSearch of(String text) {
      return new WordSearch(
          words(text)
              .filter(word -> !PASSED_OVER.contains(word))
              .map(WordSearch::singular)
              .distinct()
              .toList());
    }

    /** Those with most of the words first; all where there is no word. */
    List<PricedOperation> ranked(List<PricedOperation> listings) {
      return listings.stream()
          .map(listing -> new Ranked(listing, hits(listing.operation())))
          .filter(one -> words.isEmpty() || one.hits() > 0)
          .sorted(Comparator.comparingInt(Ranked::hits).reversed())
          .map(Ranked::listing)
          .toList();
    }

    /** A word of the name or the sentence counts more than one of the group or an argument. */
    private int hits(Operation operation) {
      List<String> own = words(operation.name() + " " + operation.about()).toList();
      List<String> near =
          words(
                  operation.row().group().profile().about()
                      + " "
                      + operation
                          .input()
                          .path("properties")
                          .propertyStream()
                          .map(Map.Entry::getKey)
                          .collect(Collectors.joining(" ")))
              .toList();
      return words.stream()
          .mapToInt(
              word ->
                  own.stream().anyMatch(one -> one.startsWith(word))
                      ? 3
                      : near.stream().anyMatch(one -> one.startsWith(word)) ? 1 : 0)
          .sum();
    }

    private static Stream<String> words(String text) {
      return Stream.of(text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+"))
          .filter(word -> !word.isEmpty());
    }

    private static String singular(String word) {
      return word.length() > 3 && word.endsWith("s") ? word.substring(0, word.length() - 1) : word;
    }
  }
}
