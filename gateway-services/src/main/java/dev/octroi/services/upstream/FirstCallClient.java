package dev.octroi.services.upstream;

import java.net.http.HttpClient;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client that is made for the first call: it has a thread and brings TLS with it, which a
 * gateway starts sooner without. Thread-safe.
 */
public final class FirstCallClient implements Supplier<HttpClient> {

  private final HttpClient.Builder builder;
  private volatile @Nullable HttpClient made;

  /** A client as the builder has it, which is not changed any more. */
  public FirstCallClient(HttpClient.Builder builder) {
    this.builder = builder;
  }

  @Override
  public HttpClient get() {
    HttpClient client = made;
    return client != null ? client : make();
  }

  private synchronized HttpClient make() {
    HttpClient client = made;
    if (client == null) {
      client = withoutCallersLoader();
      made = client;
    }
    return client;
  }

  /**
   * Its thread inherits the class loader of the thread that makes it: in a server that would be the
   * application's, which could not go before the thread has.
   */
  private HttpClient withoutCallersLoader() {
    Thread caller = Thread.currentThread();
    ClassLoader callers = caller.getContextClassLoader();
    caller.setContextClassLoader(HttpClient.class.getClassLoader());
    try {
      return builder.build();
    } finally {
      caller.setContextClassLoader(callers);
    }
  }
}
