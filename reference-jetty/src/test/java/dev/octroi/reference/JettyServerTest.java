package dev.octroi.reference;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JettyServerTest {

  /** Without it each call would ask an injected proxy, which is slower and not otherwise seen. */
  @Test
  void theAddressOfACallerIsNotedOnItsRequest() throws Exception {
    try (JettyServer server = JettyServer.start(BareJersey.HTTP, new Telling())) {
      URI uri = server.baseUrl().resolve("/noted");
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());

      assertThat(answer.body()).isEqualTo("127.0.0.1");
    }
  }

  /** Or the client's next call would be lost with the connection. */
  @Test
  void anAnswerBeforeItsBodySaysThatTheConnectionEnds() throws Exception {
    try (JettyServer server = JettyServer.start(BareJersey.HTTP, new Telling());
        Socket client = new Socket("127.0.0.1", server.baseUrl().getPort())) {
      assertThat(headers(client, "Content-Length: 2\r\n\r\n{}"))
          .doesNotContain("Connection: close");
      assertThat(headers(client, "Content-Length: 2\r\n\r\n")).contains("Connection: close");
    }
  }

  private static String headers(Socket client, String rest) throws IOException {
    String request = "POST /noted HTTP/1.1\r\nHost: localhost\r\n" + rest;
    client.setSoTimeout(10_000);
    client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    byte[] answer = new byte[2048];
    int length = 0;
    while (!new String(answer, 0, length, StandardCharsets.US_ASCII).endsWith("127.0.0.1")) {
      int read = client.getInputStream().read(answer, length, answer.length - length);
      assertThat(read).as("the answer goes on").isPositive();
      length += read;
    }
    return new String(answer, 0, length, StandardCharsets.US_ASCII);
  }

  /** The application of the one filter. */
  private static final class Telling extends Application {

    @Override
    public Set<Class<?>> getClasses() {
      return Set.of(Noted.class);
    }
  }

  /** Answers what stands on the request itself. */
  @PreMatching
  public static class Noted implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      request.abortWith(Response.ok(request.getProperty("dev.octroi.api.remote")).build());
    }
  }
}
