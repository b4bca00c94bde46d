package dev.octroi.api.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Operation;
import dev.octroi.api.catalogue.Sold.Effect;
import dev.octroi.api.discovery.Storefront.PricedOperation;
import dev.octroi.api.mcp.CatalogueTools.NamedPage;
import dev.octroi.api.openapi.Answers;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.InitializeRequest;
import io.modelcontextprotocol.spec.McpSchema.ListToolsResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import io.modelcontextprotocol.spec.McpStreamableServerSession;
import io.modelcontextprotocol.spec.McpStreamableServerSession.McpStreamableServerSessionInit;
import io.modelcontextprotocol.spec.McpStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.ProtocolVersions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The tools of one address at their prices of one time, and the SDK's server that knows them.
 *
 * @param listed those that are listed, of all that can be called
 * @param callable the names of all
 */
record Toolbox(Sessions sessions, List<Tool> listed, Set<String> callable) {

  private static final String VERSION = "1";
  private static final String PRICE = "octroi/price";

  /** How many tools a page has. */
  private static final int PAGE = 25;

  /** A gateway that sells no more than these lists all of them at once. */
  private static final int FEW = 20;

  /** The longest first listing: a token has three bytes at least, so below 3,000 tokens. */
  private static final int MOST_BYTES = 8_900;

  private static final String INSTRUCTIONS =
      """
      Find what you need with the tool find, read its arguments with describe, and call it by its \
      name with call. All tools of a group are listed at /mcp/{group}. Each call of a tool is paid by itself. Without a payment it answers with the x402 challenge \
      (isError, structuredContent): sign one of its offers and call again with the payment in \
      _meta["x402/payment"], or connect with an API key (Authorization: Bearer sk-...) and call \
      at once. A call that fails is not charged.\
      """;

  Toolbox {
    listed = List.copyOf(listed);
    callable = Set.copyOf(callable);
  }

  /** All tools of a group. */
  static Toolbox ofGroup(String serviceName, List<PricedOperation> listings, ToolCalls calls) {
    return of(serviceName, specifications(listings, calls), List::copyOf);
  }

  /** Everything can be called; what is listed costs an agent little to read. */
  static Toolbox ofAll(
      String serviceName, List<PricedOperation> listings, ToolCalls calls, CatalogueTools few) {
    List<SyncToolSpecification> all = new ArrayList<>(few.tools(listings));
    int first = all.size();
    all.addAll(specifications(listings, calls));
    return of(
        serviceName,
        all,
        tools -> {
          List<Tool> further = new ArrayList<>(tools.subList(first, tools.size()));
          if (further.size() > FEW) {
            further.removeIf(tool -> !few.featured().contains(tool.name()));
            further.sort(Comparator.comparing(tool -> few.featured().indexOf(tool.name())));
          }
          List<Tool> listed = new ArrayList<>(tools.subList(0, first));
          int bytes = listed.stream().mapToInt(Toolbox::bytes).sum();
          for (Tool tool : further) {
            bytes += bytes(tool);
            if (bytes > MOST_BYTES) {
              break;
            }
            listed.add(tool);
          }
          return listed;
        });
  }

  private static int bytes(Tool tool) {
    try {
      return ToolJson.INSTANCE.writeValueAsBytes(tool).length + 1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The tools after a cursor; empty where it is none of these. */
  Optional<ListToolsResult> page(String cursor) {
    return NamedPage.of(listed, cursor, PAGE, Tool::name)
        .map(page -> new ListToolsResult(page.rows(), page.next().orElse(null), null));
  }

  private static Toolbox of(
      String serviceName,
      List<SyncToolSpecification> all,
      Function<List<Tool>, List<Tool>> listed) {
    Sessions sessions = new Sessions();
    McpServer.sync(sessions)
        .serverInfo(Implementation.builder(serviceName, VERSION).build())
        .instructions(INSTRUCTIONS)
        .capabilities(
            ServerCapabilities.builder()
                .tools(false)
                .resources(false, false)
                .prompts(false)
                .build())
        .jsonMapper(ToolJson.INSTANCE)
        // Arguments are checked where calls are, after the payment (decisions, order of work).
        .jsonSchemaValidator((schema, content) -> ValidationResponse.asValid(null))
        .validateToolInputs(false)
        .immediateExecution(true)
        .tools(all)
        .build();
    List<Tool> tools = all.stream().map(SyncToolSpecification::tool).toList();
    return new Toolbox(
        sessions,
        listed.apply(tools),
        tools.stream().map(Tool::name).collect(Collectors.toUnmodifiableSet()));
  }

  private static List<SyncToolSpecification> specifications(
      List<PricedOperation> listings, ToolCalls calls) {
    return listings.stream()
        .map(
            listing ->
                SyncToolSpecification.builder()
                    .tool(tool(listing))
                    .callHandler(
                        (exchange, request) -> calls.call(listing.operation(), exchange, request))
                    .build())
        .toList();
  }

  private static Tool tool(PricedOperation listing) {
    Operation operation = listing.operation();
    String price = listing.price().dollars();
    Effect effect = operation.effect();
    Tool.Builder tool = Tool.builder(operation.name(), ToolJson.INSTANCE.map(operation.input()));
    Answers.of(operation)
        .map(answer -> ToolJson.INSTANCE.map(OutputNames.of(answer)))
        .ifPresent(tool::outputSchema);
    return tool.title(operation.title())
        .description(
            operation.about()
                + when(operation)
                + (listing.isFixed() ? " Price: " : " Priced by request, the example: ")
                + price
                + " USD a call.")
        .annotations(
            ToolAnnotations.builder()
                .readOnlyHint(effect == Effect.NONE)
                .destructiveHint(effect == Effect.FINAL)
                .idempotentHint(effect == Effect.NONE)
                .openWorldHint(true)
                .build())
        .meta(
            Map.of(
                PRICE,
                Map.of("amount", price, "currency", "USD", "fixed", listing.isFixed()),
                "octroi/example",
                ToolJson.INSTANCE.map(operation.example())))
        .build();
  }

  /**
   * The names that an answer has, without their types: a client checks each answer by the schema
   * that was listed, and must not refuse what it has paid for because a vendor has changed a type.
   */
  private static final class OutputNames {

    /** The answer, its data, and the names of a row. */
    private static final int DEPTH = 3;

    private OutputNames() {}

    static ObjectNode of(ObjectNode answer) {
      return named(answer, DEPTH).put("type", "object");
    }

    private static ObjectNode named(JsonNode schema, int depth) {
      ObjectNode names = ToolJson.INSTANCE.object();
      if (depth > 0 && schema.has("properties")) {
        ObjectNode properties = names.putObject("properties");
        schema
            .path("properties")
            .properties()
            .forEach(one -> properties.set(one.getKey(), named(one.getValue(), depth - 1)));
      }
      if (schema.path("items").has("properties")) {
        names.set("items", named(schema.path("items"), depth));
      }
      return names;
    }
  }

  /** When an agent calls it, and what it must know for that. */
  private static String when(Operation operation) {
    String use =
        switch (operation.effect()) {
          case NONE -> " Use it when an answer needs this; it changes nothing.";
          case ADDS -> " Use it when the user asks for this; it adds something that is paid for.";
          case FINAL -> " Use it only when the user asks for this; it cannot be undone.";
        };
    String needed =
        operation
            .input()
            .path("required")
            .valueStream()
            .map(JsonNode::asText)
            .collect(Collectors.joining(", "));
    return use + (needed.isEmpty() ? "" : " Needs " + needed + ".");
  }

  /**
   * A session of the SDK for each request, kept nowhere: any node answers any request, and no
   * client can fill a memory with sessions. No client hears what the server would say unasked.
   */
  static final class Sessions implements McpStreamableServerTransportProvider {

    /** Of the protocol, as a client states it after it was welcomed. */
    static final List<String> VERSIONS = new Sessions().protocolVersions();

    private McpStreamableServerSession.@Nullable Factory factory;

    @Override
    public void setSessionFactory(McpStreamableServerSession.Factory sessions) {
      this.factory = sessions;
    }

    /** What a client says of itself is not needed for any tool. */
    McpStreamableServerSessionInit begin(String protocolVersion) {
      return Objects.requireNonNull(factory)
          .startSession(
              InitializeRequest.builder(
                      protocolVersion,
                      ClientCapabilities.builder().build(),
                      Implementation.builder("unknown", "0").build())
                  .build());
    }

    /** For a request after the first. */
    McpStreamableServerSession resume() {
      return begin(ProtocolVersions.MCP_2025_11_25).session();
    }

    @Override
    public Mono<Void> notifyClients(String method, Object params) {
      return Mono.empty();
    }

    @Override
    public Mono<Void> closeGracefully() {
      return Mono.empty();
    }
  }
}
