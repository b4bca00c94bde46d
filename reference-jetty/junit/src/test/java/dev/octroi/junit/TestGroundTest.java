package dev.octroi.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.Usd;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestGroundTest {

  private final List<String> closed = new ArrayList<>();

  @Test
  void partsAreClosedInTheReverseOrderOfTheirStart() {
    try (TestGround ground = TestGround.open()) {
      ground.closing(() -> closed.add("first"));
      ground.closing(() -> closed.add("second"));
    }
    assertThat(closed).containsExactly("second", "first");
  }

  @Test
  void aPartThatDoesNotCloseKeepsNoOtherOpen() {
    TestGround ground = TestGround.open();
    ground.closing(() -> closed.add("first"));
    ground.closing(
        () -> {
          throw new IllegalStateException("stuck");
        });

    assertThatThrownBy(ground::close)
        .satisfies(failed -> assertThat(failed.getSuppressed()[0]).hasMessage("stuck"));
    assertThat(closed).containsExactly("first");
  }

  @Test
  void whatWasStartedOfAHostThatDoesNotStartIsClosed() {
    assertThatThrownBy(
            () ->
                RunningHost.of(
                    ground -> {
                      ground.closing(() -> closed.add("first"));
                      throw new IllegalStateException("no port");
                    }))
        .hasRootCauseMessage("no port");
    assertThat(closed).containsExactly("first");
  }

  @Test
  void moneyIsTakenOnce() {
    try (TestGround ground = TestGround.open()) {
      ground.payments();
      assertThatThrownBy(ground::payments).hasMessageContaining("once");
      assertThatThrownBy(ground::gateway).hasMessageContaining("once");
    }
  }

  @Test
  void aHostThatTookNoMoneyHasNoPayers() {
    try (RunningHost host = RunningHost.of(ground -> URI.create("http://127.0.0.1:9"))) {
      assertThatThrownBy(() -> host.payer(Usd.ZERO)).hasMessageContaining("payments()");
    }
  }
}
