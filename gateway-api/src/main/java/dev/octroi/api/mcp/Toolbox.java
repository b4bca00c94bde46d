package dev.octroi.api.mcp;

import dev.octroi.api.catalogue.Operation;
import dev.octroi.api.discovery.Storefront.PricedOperation;
import dev.octroi.payments.Usd;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.InitializeRequest;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import io.modelcontextprotocol.spec.McpStreamableServerSession;
import io.modelcontextprotocol.spec.McpStreamableServerSession.McpStreamableServerSessionInit;
import io.modelcontextprotocol.spec.McpStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.ProtocolVersions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The tools at their prices of one time, and the SDK's server that knows them.
 *
 * @param prices by the tools' names
 */
record Toolbox(Sessions sessions, Map<String, Usd> prices) {

  private static final String VERSION = "1";
  private static final String PRICE = "octroi/price";
  private static final String INSTRUCTIONS =
      """
      Each call of a tool is paid by itself. Without a payment it answers with the x402 challenge \
      (isError, structuredContent): sign one of its offers and call again with the payment in \
      _meta["x402/payment"], or connect with an API key (Authorization: Bearer sk-...) and call \
      at once. A call that fails is not charged.\
      """;

  Toolbox {
    prices = Map.copyOf(prices);
  }

  static Map<String, Usd> prices(List<PricedOperation> listings) {
    return listings.stream()
        .collect(Collectors.toMap(listing -> listing.operation().name(), PricedOperation::price));
  }

  static Toolbox of(String serviceName, List<PricedOperation> listings, ToolCalls calls) {
    Sessions sessions = new Sessions();
    McpServer.sync(sessions)
        .serverInfo(Implementation.builder(serviceName, VERSION).build())
        .instructions(INSTRUCTIONS)
        .capabilities(ServerCapabilities.builder().tools(false).build())
        .jsonMapper(ToolJson.INSTANCE)
        // Arguments are checked where calls are, after the payment (decisions, order of work).
        .jsonSchemaValidator((schema, content) -> ValidationResponse.asValid(null))
        .validateToolInputs(false)
        .immediateExecution(true)
        .tools(listings.stream().map(listing -> specification(listing, calls)).toList())
        .build();
    return new Toolbox(sessions, prices(listings));
  }

  private static SyncToolSpecification specification(PricedOperation listing, ToolCalls calls) {
    Operation operation = listing.operation();
    return SyncToolSpecification.builder()
        .tool(tool(listing))
        .callHandler((exchange, request) -> calls.call(operation, exchange, request))
        .build();
  }

  private static Tool tool(PricedOperation listing) {
    Operation operation = listing.operation();
    String price = listing.price().dollars();
    return Tool.builder(operation.name(), ToolJson.INSTANCE.map(operation.input()))
        .description(
            operation.about()
                + (listing.isFixed() ? " Price: " : " Priced by request, the example: ")
                + price
                + " USD a call.")
        .annotations(
            ToolAnnotations.builder()
                .readOnlyHint(operation.row().method().equals("GET"))
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

    McpStreamableServerSessionInit begin(InitializeRequest request) {
      return Objects.requireNonNull(factory).startSession(request);
    }

    /** For a request after the first: what the client said then is not needed for any tool. */
    McpStreamableServerSession resume() {
      InitializeRequest unknown =
          InitializeRequest.builder(
                  ProtocolVersions.MCP_2025_11_25,
                  ClientCapabilities.builder().build(),
                  Implementation.builder("unknown", "0").build())
              .build();
      return begin(unknown).session();
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
