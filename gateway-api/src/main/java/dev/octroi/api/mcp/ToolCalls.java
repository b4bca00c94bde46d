package dev.octroi.api.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.api.catalogue.Operation;
import dev.octroi.api.settings.ToolSettings;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls operations for callers of tools, and waits for the jobs that they become. Thread-safe. */
final class ToolCalls implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ToolCalls.class);
  private static final String POLL = "poll_url";

  private final InnerDoor door;
  private final Duration jobWait;
  private final Duration jobPoll;
  private final Semaphore places;
  private final CountDownLatch closing = new CountDownLatch(1);

  ToolCalls(ToolServices.Terms terms) {
    ToolSettings settings = terms.settings();
    this.door = new InnerDoor(terms.identity(), terms.longest(), terms.mostBytes());
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
    InnerAnswer answer = door.call(caller, self, first, payment);
    long begun = System.nanoTime();
    Optional<ToolRequest> poll = poll(answer);
    while (poll.isPresent() && waited(begun).compareTo(jobWait) < 0 && pause()) {
      tell(exchange, request, waited(begun), answer);
      answer = door.call(caller, self, poll.get(), payment);
      poll = poll(answer);
    }
    return ToolAnswers.of(answer);
  }

  private static Duration waited(long begun) {
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  /** False if the gateway closes meanwhile. */
  private boolean pause() throws InterruptedException {
    return !closing.await(jobPoll.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Where to ask for what is not done; paths of this gateway only. */
  private static Optional<ToolRequest> poll(InnerAnswer answer) {
    return Optional.of(answer)
        .filter(running -> running.status() == 202)
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
}
