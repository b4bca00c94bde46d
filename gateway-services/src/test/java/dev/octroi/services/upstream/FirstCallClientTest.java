package dev.octroi.services.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.upstream.UpstreamClient.FirstCallClient;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FirstCallClientTest {

  @Test
  void manyFirstCallsMakeOneClient() {
    FirstCallClient client = new FirstCallClient(HttpClient.newBuilder());

    List<CompletableFuture<HttpClient>> asked =
        IntStream.range(0, 8).mapToObj(i -> CompletableFuture.supplyAsync(client::get)).toList();

    assertThat(asked.stream().map(CompletableFuture::join).collect(Collectors.toSet())).hasSize(1);
  }

  @Test
  void itsThreadHoldsNoClassLoaderOfAnApplication() throws Exception {
    Thread caller = Thread.currentThread();
    ClassLoader before = caller.getContextClassLoader();
    try (URLClassLoader application = new URLClassLoader(new URL[0], before)) {
      caller.setContextClassLoader(application);
      HttpClient client = new FirstCallClient(HttpClient.newBuilder()).get();

      assertThat(caller.getContextClassLoader()).isSameAs(application);
      assertThat(client).isNotNull();
      assertThat(selectors()).isNotEmpty().allMatch(each -> each != application);
    } finally {
      caller.setContextClassLoader(before);
    }
  }

  private static Set<ClassLoader> selectors() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().endsWith("-SelectorManager"))
        .map(Thread::getContextClassLoader)
        .collect(Collectors.toSet());
  }
}
