package dev.octroi.services.upstream;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP client of one upstream, made for the first call: it has a thread and brings TLS with it,
 * which a gateway starts sooner without. Thread-safe.
 */
final class FirstCallClient implements Supplier<HttpClient> {

  private final Duration connect;
  private final Executor executor;
  private volatile @Nullable HttpClient made;

  FirstCallClient(Duration connect, Executor executor) {
    this.connect = connect;
    this.executor = executor;
  }

  @Override
  public HttpClient get() {
    HttpClient client = made;
    return client != null ? client : make();
  }

  private synchronized HttpClient make() {
    HttpClient client = made;
    if (client == null) {
      client =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .followRedirects(HttpClient.Redirect.NEVER)
              .connectTimeout(connect)
              .executor(executor)
              .build();
      made = client;
    }
    return client;
  }
}
