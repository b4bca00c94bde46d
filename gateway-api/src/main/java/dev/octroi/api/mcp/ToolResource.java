package dev.octroi.api.mcp;

import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.asset.BaseAddress.Linking;
import dev.octroi.api.house.Refused;
import dev.octroi.api.limit.CountedCalls.Counted;
import dev.octroi.api.mcp.SelfAddress.Inside;
import dev.octroi.api.mcp.ToolCalls.Caller;
import dev.octroi.api.mcp.ToolCalls.Line;
import dev.octroi.api.mcp.Toolbox.Sessions;
import dev.octroi.payments.Free;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpStreamableServerTransport;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.Providers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import reactor.core.publisher.Mono;

/**
 * Tools over streamable HTTP, without sessions: each request is answered by itself, a call of a
 * tool as a stream of events, which has room for its progress, everything else as JSON. There is
 * nothing to listen to, so that GET is 405, as the protocol allows.
 */
@Path("/mcp")
@Counted
@Linking
@Inside
public class ToolResource {

  private static final String VERSION = "MCP-Protocol-Version";
  private static final String NO_PARAMETERS = "The params are not those of the method.";

  /**
   * What the params of a method have at least. The SDK would put words of its own where one lacks,
   * and warn of it: callers would fill the log.
   */
  private static final Map<String, String> REQUIRED =
      Map.of(
          McpSchema.METHOD_INITIALIZE, "protocolVersion",
          McpSchema.METHOD_TOOLS_CALL, "name",
          McpSchema.METHOD_LOGGING_SET_LEVEL, "level",
          McpSchema.METHOD_PROMPT_GET, "name",
          McpSchema.METHOD_RESOURCES_READ, "uri");

  private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] EVENT = "event: message\ndata: ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "\n\n".getBytes(StandardCharsets.US_ASCII);

  private final ToolServices services;

  public ToolResource(@Context Providers providers) {
    services = ToolServices.of(providers);
  }

  @POST
  @Free
  @Consumes(MediaType.APPLICATION_JSON)
  public Response post(InputStream body, @Context HttpHeaders headers) throws IOException {
    return answered("", body, headers);
  }

  /** All tools of a group. */
  @POST
  @Path("{group: [a-z0-9-]+}")
  @Free
  @Consumes(MediaType.APPLICATION_JSON)
  public Response postToGroup(
      @PathParam("group") String group, InputStream body, @Context HttpHeaders headers)
      throws IOException {
    return answered(group, body, headers);
  }

  private Response answered(String group, InputStream body, HttpHeaders headers)
      throws IOException {
    if (!services.isOpen()) {
      throw noPath();
    }
    if (!services.pages().allows(headers.getHeaderString("Origin"))) {
      throw Refused.of(403, "Pages of this origin may not call tools.");
    }
    String version = headers.getHeaderString(VERSION);
    if (version != null && !Sessions.VERSIONS.contains(version)) {
      throw Refused.invalid(VERSION + " is one of " + String.join(", ", Sessions.VERSIONS) + ".");
    }
    return services
        .memory()
        .read(body, (bytes, taken) -> answer(group, message(bytes), taken, headers));
  }

  private static WebApplicationException noPath() {
    return Refused.unknown("There is no such path.");
  }

  private Response answer(
      String group, JSONRPCMessage message, AtomicLong taken, HttpHeaders headers) {
    if (!(message instanceof JSONRPCRequest asked)) {
      return Response.accepted().build();
    }
    // The SDK takes for granted that each request has parameters.
    JSONRPCRequest request =
        new JSONRPCRequest(
            asked.method(), asked.id(), Objects.requireNonNullElse(asked.params(), Map.of()));
    String required = REQUIRED.get(request.method());
    if (required != null && text(request, required).isEmpty()) {
      return invalid(request, NO_PARAMETERS);
    }
    return switch (request.method()) {
      case McpSchema.METHOD_INITIALIZE -> initialized(tools(group), request);
      case McpSchema.METHOD_TOOLS_LIST -> listed(tools(group), request);
      case McpSchema.METHOD_TOOLS_CALL ->
          called(
              services.toolsToCall(group, text(request, "name")).orElseThrow(ToolResource::noPath),
              request,
              taken,
              caller(headers));
      default -> answered(tools(group), request);
    };
  }

  private Toolbox tools(String group) {
    return services.tools(group).orElseThrow(ToolResource::noPath);
  }

  /** A member of a request's parameters; empty where it is no text. */
  private static String text(JSONRPCRequest request, String member) {
    return request.params() instanceof Map<?, ?> params && params.get(member) instanceof String text
        ? text
        : "";
  }

  private static Response listed(Toolbox tools, JSONRPCRequest request) {
    return tools
        .page(text(request, "cursor"))
        .map(page -> json(JSONRPCResponse.result(request.id(), page)))
        .orElseGet(() -> invalid(request, "The cursor is the nextCursor of the page before."));
  }

  private static JSONRPCMessage message(byte[] body) {
    try {
      return McpSchema.deserializeJsonRpcMessage(
          ToolJson.INSTANCE, new String(body, StandardCharsets.UTF_8));
    } catch (IOException | IllegalArgumentException e) {
      throw Refused.invalid("The body is not a JSON-RPC message.");
    }
  }

  private static Caller caller(HttpHeaders headers) {
    return Caller.of(headers::getHeaderString, BaseAddress.HEADER);
  }

  private static Response initialized(Toolbox tools, JSONRPCRequest request) {
    return json(
        JSONRPCResponse.result(
            request.id(),
            tools.sessions().begin(text(request, "protocolVersion")).initResult().block()));
  }

  /** Whether the params are those of a tool's call. */
  private static boolean isCall(JSONRPCRequest request) {
    try {
      var unused = ToolJson.INSTANCE.convertValue(request.params(), CallToolRequest.class);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Response invalid(JSONRPCRequest request, String sentence) {
    return json(
        JSONRPCResponse.error(
            request.id(), new JSONRPCError(McpSchema.ErrorCodes.INVALID_PARAMS, sentence, null)));
  }

  private static Response answered(Toolbox tools, JSONRPCRequest request) {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    try {
      tools
          .sessions()
          .resume()
          .responseStream(new Conversation(message -> ToolJson.INSTANCE.write(answer, message)))
          .handle(request)
          .block();
    } catch (IllegalArgumentException e) {
      return invalid(request, NO_PARAMETERS);
    }
    return json(answer.toByteArray());
  }

  private Response called(Toolbox tools, JSONRPCRequest request, AtomicLong taken, Caller caller) {
    if (!isCall(request)) {
      return invalid(request, NO_PARAMETERS);
    }
    return Response.ok(
            new Events(services, tools, request, taken.getAndSet(0), caller),
            MediaType.SERVER_SENT_EVENTS_TYPE)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .build();
  }

  /** The call of a tool, made while its events leave. */
  static final class Events implements StreamingOutput {

    private final ToolServices services;
    private final Toolbox tools;
    private final JSONRPCRequest request;
    private final long taken;
    private final Caller caller;
    private LongConsumer held = bytes -> {};

    /**
     * @param taken of the memory for requests, given back once the call has ended
     */
    Events(
        ToolServices services, Toolbox tools, JSONRPCRequest request, long taken, Caller caller) {
      this.services = services;
      this.tools = tools;
      this.request = request;
      this.taken = taken;
      this.caller = caller;
    }

    /** Has the server told how many bytes are in memory until the agent has read them. */
    void telling(LongConsumer server) {
      held = server;
    }

    @Override
    public void write(OutputStream out) throws IOException {
      try {
        serve(out);
      } finally {
        services.memory().give(taken);
      }
    }

    private void serve(OutputStream out) throws IOException {
      // At once, so that no proxy on the way takes a long call for a dead one.
      comment(out);
      McpTransportContext context =
          McpTransportContext.create(
              Map.of(Caller.KEY, caller, Line.KEY, (Line) () -> comment(out)));
      Conversation conversation =
          new Conversation(
              message -> {
                held.accept(caller.memory().get());
                event(out, message);
              });
      try {
        tools
            .sessions()
            .resume()
            .responseStream(conversation)
            .handle(request)
            .contextWrite(reactor -> reactor.put(McpTransportContext.KEY, context))
            .block();
      } finally {
        services.ended(caller, conversation.isAnswered() && caller.answered().get());
      }
    }
  }

  private static void comment(OutputStream out) throws IOException {
    out.write(COMMENT);
    out.flush();
  }

  private static void event(OutputStream out, JSONRPCMessage message) throws IOException {
    out.write(EVENT);
    ToolJson.INSTANCE.write(out, message);
    out.write(END);
    out.flush();
  }

  private static Response json(JSONRPCResponse response) {
    try {
      return json(ToolJson.INSTANCE.writeValueAsBytes(response));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Response json(byte[] message) {
    return Response.ok(message, MediaType.APPLICATION_JSON_TYPE)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .build();
  }

  /** What the SDK sends in answer to one request, in its order. */
  private static final class Conversation implements McpStreamableServerTransport {

    /** Where messages go; by the thread that serves the request, one after the other. */
    @FunctionalInterface
    interface Outlet {
      void send(JSONRPCMessage message) throws IOException;
    }

    private final Outlet outlet;
    private boolean answered;

    Conversation(Outlet outlet) {
      this.outlet = outlet;
    }

    /** Whether the result has left. */
    boolean isAnswered() {
      return answered;
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
      return Mono.fromRunnable(
          () -> {
            try {
              outlet.send(told(message));
              answered = message instanceof JSONRPCResponse last && last.error() == null;
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }

    /**
     * No text of an exception reaches the agent, which is what the SDK says of its own failures.
     */
    private static JSONRPCMessage told(JSONRPCMessage message) {
      return message instanceof JSONRPCResponse answer
              && answer.error() != null
              && answer.error().code() == McpSchema.ErrorCodes.INTERNAL_ERROR
          ? JSONRPCResponse.error(
              answer.id(),
              new JSONRPCError(McpSchema.ErrorCodes.INTERNAL_ERROR, "The request failed here."))
          : message;
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
}
