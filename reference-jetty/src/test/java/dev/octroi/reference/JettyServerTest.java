package dev.octroi.reference;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JettyServerTest {

  private static final String NO_BODY = "Content-Length: 0\r\n\r\n";
  private static final String BODY_TO_COME = "Content-Length: 2\r\n\r\n";
  private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

  /** Without it each call would ask an injected proxy, which is slower and not otherwise seen. */
  @Test
  void theAddressOfACallerIsNotedOnItsRequest() throws Exception {
    try (JettyServer server = JettyServer.start(BareJersey.HTTP, BareJersey.BODIES, new Telling());
        Socket client = new Socket("127.0.0.1", server.baseUrl().getPort())) {
      assertThat(answer(client, NO_BODY)).contains("\r\n127.0.0.1\r\n");
    }
  }

  /** Or the client's next call would be lost with the connection. */
  @Test
  void anAnswerBeforeItsBodySaysThatTheConnectionEnds() throws Exception {
    try (JettyServer server = JettyServer.start(BareJersey.HTTP, BareJersey.BODIES, new Telling());
        Socket client = new Socket("127.0.0.1", server.baseUrl().getPort())) {
      assertThat(answer(client, BODY_TO_COME + "{}")).doesNotContain("Connection: close");
      assertThat(answer(client, BODY_TO_COME)).contains("Connection: close");
    }
  }

  /**
   * The whole answer, to its last chunk or the connection's end, so that the next call on the
   * connection finds nothing of it.
   */
  private static String answer(Socket client, String rest) throws IOException {
    String request = "POST /noted HTTP/1.1\r\nHost: localhost\r\n" + rest;
    client.setSoTimeout(10_000);
    client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    byte[] read = new byte[2048];
    for (int length; (length = client.getInputStream().read(read)) > 0; ) {
      answer.write(read, 0, length);
      if (answer.toString(StandardCharsets.US_ASCII).endsWith(LAST_CHUNK)) {
        break;
      }
    }
    return answer.toString(StandardCharsets.US_ASCII);
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
