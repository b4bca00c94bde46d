package dev.octroi.reference;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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
