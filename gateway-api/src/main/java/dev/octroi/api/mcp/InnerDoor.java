package dev.octroi.api.mcp;

import dev.octroi.api.http.InnerCalls;
import dev.octroi.payments.http.BoundedBody;
import dev.octroi.services.upstream.FirstCallClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** Calls the gateway's own HTTP face, as any caller does. Thread-safe. */
final class InnerDoor {

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
    HttpRequest.Builder call =
        HttpRequest.newBuilder(URI.create(self + request.target())).timeout(longest);
    URI world = URI.create(caller.base());
    call.setHeader(InnerCalls.SECRET, identity.secret());
    call.setHeader("X-Forwarded-Proto", world.getScheme());
    call.setHeader("X-Forwarded-Host", world.getRawAuthority());
    call.setHeader("Accept", "application/json");
    caller.headers().forEach(call::setHeader);
    request.headers().forEach(call::setHeader);
    payment.forEach(call::setHeader);
    request.body().ifPresent(body -> call.setHeader("Content-Type", "application/json"));
    BodyPublisher body =
        request.body().map(BodyPublishers::ofByteArray).orElseGet(BodyPublishers::noBody);
    HttpResponse<byte[]> answer =
        http.get()
            .send(call.method(request.method(), body).build(), info -> new BoundedBody(mostBytes));
    return new InnerAnswer(answer.statusCode(), answer.headers(), answer.body());
  }
}
