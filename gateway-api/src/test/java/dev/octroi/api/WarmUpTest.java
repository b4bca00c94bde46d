package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WarmUpTest {

  private static boolean isReading() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().startsWith("language-vocabularies"));
  }

  @Test
  @Tag("spec:language.tokens")
  void vocabulariesAreReadBesideTheCallsOfModels() {
    Map<String, String> models =
        Map.of("gateway.language.upstreams.responses", "http://127.0.0.1:9");
    try (GatewayHost host = new GatewayHost(models)) {
      assertThat(isReading()).isFalse();
      host.gateway().warmUp();
      assertThat(isReading()).isTrue();
    }
    await().atMost(Duration.ofSeconds(30)).until(() -> !isReading());
  }

  @Test
  void aHostWithoutModelsReadsNone() {
    try (GatewayHost host = new GatewayHost(Map.of())) {
      host.gateway().warmUp();
      assertThat(isReading()).isFalse();
    }
  }
}
