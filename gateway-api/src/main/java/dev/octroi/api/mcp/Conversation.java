package dev.octroi.api.mcp;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpStreamableServerTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import reactor.core.publisher.Mono;

/** What the SDK sends in answer to one request, in its order. */
final class Conversation implements McpStreamableServerTransport {

  /** Where messages go; by the thread that serves the request, one after the other. */
  @FunctionalInterface
  interface Outlet {
    void send(byte[] message) throws IOException;
  }

  private final Outlet outlet;

  Conversation(Outlet outlet) {
    this.outlet = outlet;
  }

  @Override
  public Mono<Void> sendMessage(JSONRPCMessage message) {
    return Mono.fromRunnable(
        () -> {
          try {
            outlet.send(ToolJson.INSTANCE.writeValueAsBytes(message));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Override
  public Mono<Void> sendMessage(JSONRPCMessage message, String messageId) {
    return sendMessage(message);
  }

  @Override
  public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
    return ToolJson.INSTANCE.convertValue(data, type);
  }

  @Override
  public Mono<Void> closeGracefully() {
    return Mono.empty();
  }
}
