package dev.octroi.sandbox.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.sandbox.contract.Call;
import dev.octroi.sandbox.contract.Contract;
import dev.octroi.sandbox.contract.Violation;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OnFirstRequestTest {

  private static final SandboxRequest REQUEST =
      new SandboxRequest("GET", "/thing", Map.of(), Map.of(), new byte[0], Call.NONE);

  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final OnFirstRequest vendor = new OnFirstRequest("held", Held::new);

  @Test
  void nothingIsMadeForAVendorThatNoCallAsks() throws Exception {
    assertThat(vendor.mount()).isEqualTo("held");

    vendor.close();

    assertThat(made).hasValue(0);
    assertThat(closed).hasValue(0);
  }

  @Test
  void manyFirstCallsMakeTheVendorOnceAndItIsClosed() throws Exception {
    List<CompletableFuture<SandboxAnswer>> answers =
        IntStream.range(0, 8)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> vendor.answer(REQUEST)))
            .toList();
    answers.forEach(answer -> assertThat(answer.join().json()).isEqualTo("held"));

    vendor.close();

    assertThat(made).hasValue(1);
    assertThat(closed).hasValue(1);
  }

  @Test
  void theVendorsOwnLimitsAndErrorsHold() {
    assertThat(vendor.maxBody()).isEqualTo(7);
    assertThat(vendor.contract().operations()).containsExactly("GET /thing");
    Violation violation =
        new Violation(Violation.Kind.NO_PATH, Violation.Where.PATH, List.of(), "unknown");
    assertThat(vendor.refusal(violation).status()).isEqualTo(410);
    assertThat(vendor.failure(503, "down").status()).isEqualTo(503);
  }

  private final class Held implements SandboxVendor, AutoCloseable {

    Held() {
      made.incrementAndGet();
    }

    @Override
    public String mount() {
      return "held";
    }

    @Override
    public SandboxAnswer answer(SandboxRequest request) {
      return SandboxAnswer.ok("held");
    }

    @Override
    public SandboxAnswer failure(int status, String message) {
      return SandboxAnswer.status(status, message);
    }

    @Override
    public Contract contract() {
      return Contract.parse(
          """
          source this test
          auth x-api-key
          GET /thing
          """);
    }

    @Override
    public SandboxAnswer refusal(Violation violation) {
      return SandboxAnswer.status(410, violation.message());
    }

    @Override
    public int maxBody() {
      return 7;
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }
}
