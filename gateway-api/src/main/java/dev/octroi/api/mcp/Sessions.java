package dev.octroi.api.mcp;

import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.InitializeRequest;
import io.modelcontextprotocol.spec.McpStreamableServerSession;
import io.modelcontextprotocol.spec.McpStreamableServerSession.McpStreamableServerSessionInit;
import io.modelcontextprotocol.spec.McpStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.ProtocolVersions;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A session of the SDK for each request, kept nowhere: any node answers any request, and no client
 * can fill a memory with sessions. No client hears what the server would say unasked.
 */
final class Sessions implements McpStreamableServerTransportProvider {

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
