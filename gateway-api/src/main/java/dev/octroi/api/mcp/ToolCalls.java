package dev.octroi.api.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Operation;
import dev.octroi.api.error.RequestId;
import dev.octroi.api.group.SoldRow.Place;
import dev.octroi.api.http.InnerCalls;
import dev.octroi.api.openapi.Answers;
import dev.octroi.api.settings.GatewaySettings.ToolSettings;
import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.flow.PaymentFlow;
import dev.octroi.payments.http.BoundedBody;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.services.upstream.UpstreamClient.FirstCallClient;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls operations for callers of tools, and waits for the jobs that they become. Thread-safe. */
final class ToolCalls implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ToolCalls.class);
  private static final String POLL = "poll_url";

  private final InnerDoor door;
  private final PaymentFlow flow;
  private final Duration jobWait;
  private final Duration jobPoll;
  private final Semaphore places;
  private final CountDownLatch closing = new CountDownLatch(1);

  ToolCalls(ToolServices.Terms terms) {
    ToolSettings settings = terms.settings();
    this.door = new InnerDoor(terms.identity(), terms.longest(), terms.mostBytes());
    this.flow = terms.flow();
    this.jobWait = settings.jobWait();
    this.jobPoll = settings.jobPoll();
    this.places = new Semaphore(settings.callsAtOnce());
  }

  CallToolResult call(
      Operation operation, McpSyncServerExchange exchange, CallToolRequest request) {
    Caller caller = (Caller) exchange.transportContext().get(Caller.KEY);
    if (caller.self().isEmpty()) {
      return ToolAnswers.refused(
          "This gateway does not know its address; set gateway.mcp.self-address.");
    }
    if (!places.tryAcquire()) {
      return ToolAnswers.refused("The service is at capacity; try again shortly.");
    }
    try {
      return answer(operation, caller, caller.self().get(), exchange, request);
    } catch (IllegalArgumentException e) {
      return ToolAnswers.refused(String.valueOf(e.getMessage()));
    } catch (CallRefused e) {
      return ToolAnswers.refused(
          "The server is short of memory for answers. Send the call again, with the same payment:"
              + " it is never charged twice.");
    } catch (IOException e) {
      LOG.warn("A tool's call of the gateway itself got no answer: {}", e.toString());
      return ToolAnswers.refused(
          "The call got no answer. Send it again with the same payment: it is never charged"
              + " twice.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ToolAnswers.refused("The gateway is shutting down.");
    } catch (RuntimeException e) {
      LOG.error("A tool's call ended unforeseen", e);
      return ToolAnswers.refused("Something unexpected went wrong here.");
    } finally {
      places.release();
    }
  }

  private CallToolResult answer(
      Operation operation,
      Caller caller,
      String self,
      McpSyncServerExchange exchange,
      CallToolRequest request)
      throws IOException, InterruptedException {
    Map<String, String> payment = ToolPayment.headers(request);
    ToolRequest first =
        ToolRequest.of(
            operation,
            ToolJson.INSTANCE.tree(Optional.ofNullable(request.arguments()).orElse(Map.of())));
    String address = operation.row().group().address(self);
    InnerAnswer answer = door.call(caller, address, first, payment);
    Map<String, String> polling = new HashMap<>(payment);
    if (!payment.isEmpty()) {
      polling.put(InnerCalls.BOUND_TO, InnerCalls.boundTo(first.binding(address)));
    }
    long begun = System.nanoTime();
    Optional<ToolRequest> poll = poll(operation, answer);
    while (poll.isPresent()
        && waited(begun).compareTo(jobWait) < 0
        && pause()
        && isThere(exchange)) {
      tell(exchange, request, waited(begun), answer);
      answer = door.call(caller, self, poll.get(), polling);
      poll = poll(operation, answer);
    }
    CallToolResult result = built(operation, caller, answer);
    caller.answered().set(true);
    return result;
  }

  /**
   * What an agent is told holds its answer's text, at two bytes a character at most, until it has
   * arrived, and the answer besides while it is built.
   */
  private CallToolResult built(Operation operation, Caller caller, InnerAnswer answer) {
    long taken = flow.passOn(caller.name(), answer.body().length);
    caller.memory().set(taken);
    CallToolResult result = ToolAnswers.of(answer, Answers.of(operation).isPresent());
    long held = Math.min(taken, 2L * answer.body().length);
    caller.memory().set(held);
    flow.bodies().working().give(taken - held);
    return result;
  }

  /** A caller that is gone does not pay for a job that it would not hear of. */
  private static boolean isThere(McpSyncServerExchange exchange) {
    try {
      ((Line) exchange.transportContext().get(Line.KEY)).comment();
      return true;
    } catch (IOException gone) {
      return false;
    }
  }

  private static Duration waited(long begun) {
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  /** False if the gateway closes meanwhile. */
  private boolean pause() throws InterruptedException {
    return !closing.await(jobPoll.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Where to ask for what is not done; paths of this gateway only, and by its own word: the server
   * of a route must not have its caller's key pay for another call.
   */
  private static Optional<ToolRequest> poll(Operation operation, InnerAnswer answer) {
    return Optional.of(answer)
        .filter(running -> running.status() == 202)
        .filter(running -> !operation.row().group().passesErrors())
        .flatMap(InnerAnswer::object)
        .map(job -> job.path(POLL))
        .filter(JsonNode::isTextual)
        .map(JsonNode::textValue)
        .filter(path -> path.startsWith("/v1/") || path.startsWith("/api/v1/"))
        .map(path -> new ToolRequest("GET", path, Map.of(), Optional.empty()));
  }

  private void tell(
      McpSyncServerExchange exchange, CallToolRequest request, Duration waited, InnerAnswer job) {
    Object token = request.progressToken();
    if (token != null) {
      String status = job.object().map(record -> record.path("status").asText()).orElse("");
      exchange.progressNotification(
          ProgressNotification.builder(token, waited.toMillis() / 1000.0)
              .total((double) jobWait.toSeconds())
              .message(status)
              .build());
    }
  }

  @Override
  public void close() {
    closing.countDown();
  }

  /** Calls the gateway's own HTTP face, as any caller does. Thread-safe. */
  private static final class InnerDoor {

    private static final Duration CONNECT = Duration.ofSeconds(5);

    private final InnerCalls identity;
    private final Duration longest;
    private final int mostBytes;

    private final FirstCallClient http =
        new FirstCallClient(
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .proxy(HttpClient.Builder.NO_PROXY));

    /**
     * @param longest how long a call may take
     * @param mostBytes the longest answer
     */
    InnerDoor(InnerCalls identity, Duration longest, int mostBytes) {
      this.identity = identity;
      this.longest = longest;
      this.mostBytes = mostBytes;
    }

    /**
     * Makes a call on a tool caller's behalf.
     *
     * @param payment headers that pay, besides the caller's own
     */
    InnerAnswer call(Caller caller, String self, ToolRequest request, Map<String, String> payment)
        throws IOException, InterruptedException {
      HttpRequest.Builder call = HttpRequest.newBuilder(URI.create(self + request.target()));
      URI world = URI.create(caller.base());
      call.setHeader(InnerCalls.SECRET, identity.secret());
      call.setHeader(InnerCalls.PASSED_ON, caller.name());
      call.setHeader("X-Forwarded-Proto", world.getScheme());
      call.setHeader("X-Forwarded-Host", world.getRawAuthority());
      call.setHeader("Accept", "application/json");
      caller.headers().forEach(call::setHeader);
      request.headers().forEach(call::setHeader);
      payment.forEach(call::setHeader);
      BodyPublisher body =
          request.body().map(BodyPublishers::ofByteArray).orElseGet(BodyPublishers::noBody);
      HttpResponse<byte[]> answer =
          BoundedBody.answer(
              http.get(), call.method(request.method(), body).build(), mostBytes, longest);
      return new InnerAnswer(answer.statusCode(), answer.headers(), answer.body());
    }
  }

  /** Says over the Model Context Protocol what was answered over HTTP. */
  static final class ToolAnswers {

    private static final String ERROR = "x402/error";
    private static final String STATUS = "octroi/status";
    private static final String PRICE = "octroi/price";
    private static final String TEXT = "text/plain";
    private static final Pattern TEXTS =
        Pattern.compile("(?i)text/.*|.*[/+](json|xml|javascript|x-ndjson|x-www-form-urlencoded)");

    private ToolAnswers() {}

    /**
     * The result of a call.
     *
     * @param shaped whether the tool is listed with a schema of its output
     */
    static CallToolResult of(InnerAnswer answer, boolean shaped) {
      Optional<ObjectNode> challenge =
          PaymentHeaders.isChallenge(answer.status())
              ? answer.header(PaymentHeaders.PAYMENT_REQUIRED)
              : Optional.empty();
      if (challenge.isPresent()) {
        return unpaid(answer, challenge.get());
      }
      String type = answer.headers().firstValue("Content-Type").orElse(TEXT).replaceAll(";.*", "");
      boolean isText = TEXTS.matcher(type).matches() || answer.body().length == 0;
      String text = isText || shaped ? answer.text() : "";
      Object structured = ToolJson.INSTANCE.objectText(text).orElse(null);
      if (structured == null && shaped) {
        // A client would refuse an answer without it, and what was paid for would be lost.
        structured = Map.of("answer", text);
      }
      Content content = isText ? TextContent.builder(text).build() : bytes(answer, type);
      return result(content, answer.status() >= 400, structured, meta(answer));
    }

    /** Pictures as pictures, and all else as the bytes that it is. */
    private static Content bytes(InnerAnswer answer, String type) {
      String bytes = Base64.getEncoder().encodeToString(answer.body());
      return type.startsWith("image/")
          ? ImageContent.builder(bytes, type).build()
          : EmbeddedResource.builder(
                  BlobResourceContents.builder("octroi:answer", bytes).mimeType(type).build())
              .build();
    }

    /** What a tool knows without a call. */
    static CallToolResult told(ObjectNode answer) {
      return result(
          TextContent.builder(answer.toString()).build(),
          false,
          ToolJson.INSTANCE.map(answer),
          Map.of());
    }

    /** An error of the tool itself. */
    static CallToolResult refused(String sentence) {
      return result(TextContent.builder(sentence).build(), true, null, Map.of());
    }

    /**
     * In the forms that clients look for: the challenge itself, wrapped as text, and in the meta
     * data, there in the version that bodies of challenges have.
     */
    private static CallToolResult unpaid(InnerAnswer answer, ObjectNode challenge) {
      answer
          .header(PaymentHeaders.PAYMENT_RESPONSE)
          .ifPresent(settlement -> challenge.set(ToolPayment.RESPONSE, settlement));
      ObjectNode wrapped = ToolJson.INSTANCE.object();
      wrapped
          .putObject(ERROR)
          .put("code", 402)
          .put("message", challenge.path("error").asText())
          .set("data", challenge);
      Map<String, Object> meta = meta(answer);
      ObjectNode told = answer.object().filter(ToolPayment::isFormer).orElse(challenge);
      meta.put(ERROR, ToolJson.INSTANCE.map(told));
      return result(
          TextContent.builder(wrapped.toString()).build(),
          true,
          ToolJson.INSTANCE.map(challenge),
          meta);
    }

    private static CallToolResult result(
        Content content, boolean error, @Nullable Object structured, Map<String, Object> meta) {
      CallToolResult.Builder result =
          CallToolResult.builder(List.of(content)).isError(error).meta(meta);
      if (structured != null) {
        result.structuredContent(structured);
      }
      return result.build();
    }

    private static Map<String, Object> meta(InnerAnswer answer) {
      Map<String, Object> meta = new LinkedHashMap<>();
      meta.put(STATUS, answer.status());
      answer
          .header(PaymentHeaders.PAYMENT_RESPONSE)
          .ifPresent(
              settlement -> meta.put(ToolPayment.RESPONSE, ToolJson.INSTANCE.map(settlement)));
      answer
          .headers()
          .firstValue(PaymentHeaders.PRICE_AMOUNT)
          .ifPresent(amount -> meta.put(PRICE, Map.of("amount", amount, "currency", "USD")));
      return meta;
    }
  }

  /** The connection to the caller. */
  @FunctionalInterface
  interface Line {

    /** The place in the SDK's context. */
    String KEY = "line";

    /** Writes something that no caller reads; fails once the caller is gone. */
    void comment() throws IOException;
  }

  /**
   * Who calls a tool.
   *
   * @param name of this one call, random; its answers are passed on under it
   * @param self where this gateway reaches itself; empty where that is not known
   * @param base the address by which the world knows the application
   * @param headers what calls on the caller's behalf say of it: credentials, request id, address
   * @param answered whether the result is the answer to the last of them
   * @param memory how many bytes are taken for the result
   */
  record Caller(
      String name,
      Optional<String> self,
      String base,
      Map<String, String> headers,
      AtomicBoolean answered,
      AtomicLong memory) {

    /** The place in the SDK's context. */
    static final String KEY = "caller";

    private static final List<String> PASSED =
        List.of("Authorization", "x-api-key", RequestId.HEADER, InnerCalls.CLIENT);

    Caller {
      headers = Map.copyOf(headers);
    }

    /**
     * Who made a request.
     *
     * @param header tells a header of it; null if it is not there
     * @param baseHeader has the address by which the world knows the application
     */
    static Caller of(Header header, String baseHeader) {
      Map<String, String> passed = new HashMap<>();
      for (String name : PASSED) {
        Optional.ofNullable(header.value(name)).ifPresent(value -> passed.put(name, value));
      }
      return new Caller(
          UUID.randomUUID().toString(),
          Optional.ofNullable(header.value(SelfAddress.HEADER)),
          Optional.ofNullable(header.value(baseHeader)).orElse(""),
          passed,
          new AtomicBoolean(),
          new AtomicLong());
    }

    /** The headers of a request. */
    @FunctionalInterface
    interface Header {
      @Nullable String value(String name);
    }
  }

  /** What the gateway's own HTTP face answered. */
  record InnerAnswer(int status, HttpHeaders headers, byte[] body) {

    /** The JSON object in a header of the protocol; empty if there is none. */
    Optional<ObjectNode> header(String name) {
      return headers
          .firstValue(name)
          .map(value -> Base64.getDecoder().decode(value))
          .flatMap(ToolJson.INSTANCE::objectIn);
    }

    Optional<ObjectNode> object() {
      return ToolJson.INSTANCE.objectIn(body);
    }

    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  /** The payment in the {@code _meta} of a call (x402, MCP transport), as headers of HTTP. */
  static final class ToolPayment {

    static final String PAYMENT = "x402/payment";
    static final String RESPONSE = "x402/payment-response";

    private ToolPayment() {}

    /**
     * The protocol has the envelope as an object; some clients send what they would send as a
     * header. Throws {@link IllegalArgumentException} for what is no envelope.
     */
    static Map<String, String> headers(CallToolRequest request) {
      Object payment =
          Optional.ofNullable(request.meta()).map(meta -> meta.get(PAYMENT)).orElse(null);
      if (payment == null) {
        return Map.of();
      }
      byte[] envelope =
          payment instanceof String header
              ? decoded(header)
              : ToolJson.INSTANCE.bytes(ToolJson.INSTANCE.convertValue(payment, JsonNode.class));
      boolean former =
          ToolJson.INSTANCE
              .objectIn(envelope)
              .map(ToolPayment::isFormer)
              .orElseThrow(ToolPayment::noEnvelope);
      return Map.of(
          former ? PaymentHeaders.X_PAYMENT : PaymentHeaders.PAYMENT_SIGNATURE,
          Base64.getEncoder().encodeToString(envelope));
    }

    private static byte[] decoded(String header) {
      try {
        return Base64.getDecoder().decode(header);
      } catch (IllegalArgumentException e) {
        throw noEnvelope();
      }
    }

    private static IllegalArgumentException noEnvelope() {
      return new IllegalArgumentException(
          "_meta['" + PAYMENT + "'] is an object, or the value of a payment header.");
    }

    /** Whether a message of the protocol is of version 1. */
    static boolean isFormer(ObjectNode message) {
      return message.path("x402Version").asInt() == 1;
    }
  }

  /**
   * The HTTP request that a call of a tool is.
   *
   * @param target path below the application and query, encoded
   * @param headers what the operation wants said
   */
  record ToolRequest(
      String method, String target, Map<String, String> headers, Optional<byte[]> body) {

    private static final String STREAM = "stream";
    private static final String CONTENT_TYPE = "Content-Type";
    private static final Set<Place> QUERY = EnumSet.of(Place.QUERY);
    private static final Set<Place> HEADER = EnumSet.of(Place.HEADER);

    /**
     * The request for these arguments.
     *
     * @throws IllegalArgumentException with a sentence for the caller where there can be none
     */
    static ToolRequest of(Operation operation, ObjectNode arguments) {
      if (operation.row().described().isEmpty() && arguments.path(STREAM).asBoolean()) {
        throw new IllegalArgumentException("The answer of a tool is whole: leave stream out.");
      }
      String path = operation.row().path();
      for (String name : operation.pathParameters()) {
        String value = text(arguments.path(name));
        if (operation.placeOf(name) == Place.REST) {
          path = path.replace("/{" + name + "}", below(value));
        } else if (value.isEmpty()) {
          throw new IllegalArgumentException("The argument '" + name + "' is missing.");
        } else {
          path = path.replace("{" + name + "}", encoded(value));
        }
      }
      Map<String, String> headers = new LinkedHashMap<>(operation.headers());
      operation
          .at(HEADER, arguments)
          .properties()
          .forEach(header -> headers.put(header.getKey(), text(header.getValue())));
      if (operation.hasBody()) {
        headers.put(CONTENT_TYPE, operation.bodyType());
      }
      return new ToolRequest(
          operation.row().method(),
          (path.isEmpty() ? "/" : path) + query(operation, arguments),
          headers,
          operation.hasBody() ? Optional.of(body(operation, arguments)) : Optional.empty());
    }

    /** What a payment for it is bound to, polls included: the agent knows no other request. */
    RequestBinding binding(String address) {
      URI uri = URI.create(address + target);
      String query = Objects.requireNonNullElse(uri.getRawQuery(), "");
      return new RequestBinding(
          method, uri.getRawPath(), query, Sha256.hex(body.orElseGet(() -> new byte[0])));
    }

    private static byte[] body(Operation operation, ObjectNode arguments) {
      JsonNode body = operation.body(arguments);
      return operation.hasJsonBody() || !body.isTextual()
          ? ToolJson.INSTANCE.bytes(body)
          : body.textValue().getBytes(StandardCharsets.UTF_8);
    }

    /** Segments as a path has them, with a slash before each. */
    private static String below(String segments) {
      String plain = segments.startsWith("/") ? segments.substring(1) : segments;
      try {
        return plain.isEmpty()
            ? ""
            : new URI(null, null, "/" + plain, null).toASCIIString().replace("?", "%3F");
      } catch (URISyntaxException e) {
        throw new IllegalArgumentException("'" + segments + "' is no path.");
      }
    }

    /** Lists have commas in reads, as those want them, and are repeated elsewhere, as is usual. */
    private static String query(Operation operation, ObjectNode arguments) {
      StringJoiner pairs = new StringJoiner("&", "?", "").setEmptyValue("");
      operation
          .at(QUERY, arguments)
          .properties()
          .forEach(
              argument -> {
                JsonNode value = argument.getValue();
                boolean repeats = operation.row().described().isPresent() && value.isArray();
                (repeats ? value.valueStream() : Stream.of(value))
                    .filter(one -> !one.isNull())
                    .forEach(
                        one -> pairs.add(encoded(argument.getKey()) + "=" + encoded(text(one))));
              });
      return pairs.toString();
    }

    private static String text(JsonNode value) {
      if (value.isArray()) {
        return value.valueStream().map(ToolRequest::text).collect(Collectors.joining(","));
      }
      return value.isObject() ? value.toString() : value.asText();
    }

    private static String encoded(String text) {
      return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
  }
}
