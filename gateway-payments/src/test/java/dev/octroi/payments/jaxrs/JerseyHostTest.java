package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.ledger.Effects;
import dev.octroi.payments.reconcile.Decisions.Backoff;
import dev.octroi.payments.reconcile.LedgerTasks;
import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.server.internal.RuntimeDelegateImpl;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class JerseyHostTest {

  @Nested
  class Refusing extends RefusalContract {
    Refusing() {
      super(new Jersey());
    }
  }

  @Nested
  class Bodies extends BodyContract {
    Bodies() {
      super(new Jersey());
    }
  }

  @Nested
  class Sales extends SaleContract {
    Sales() {
      super(new Jersey());
    }
  }

  @Nested
  class SamePayments extends SamePaymentContract {
    SamePayments() {
      super(new Jersey());
    }

    /** Jersey writes it once the answer has left. */
    @Test
    @Tag("spec:money.1")
    void aChunkedOutputIsNotCharged() {
      String payment = payer.payment("chunked");
      shop.broken.set(true);
      assertThat(payer.get("chunked", payment).statusCode()).isEqualTo(500);
      assertThat(spent()).isZero();

      shop.broken.set(false);
      assertThat(payer.get("chunked", payment).statusCode()).isEqualTo(200);
      assertThat(spent()).isPositive();
    }
  }

  @Nested
  class Settling extends SettlingContract {
    Settling() {
      super(new Jersey());
    }

    @Test
    @Tag("spec:money.6")
    @Tag("spec:money.11")
    void aStreamThatFailsUnbegunOnATransactionThatIsOnItsWayIsRefundedOnceThatIsFinal() {
      money.sendsElsewhere();
      String payment = payer.payment(payer.get("unbegun"), TestMoney.ELSEWHERE);
      var unused = CompletableFuture.runAsync(() -> payer.get("unbegun", payment));
      Supplier<Stream<UnresolvedPayment>> mine =
          () ->
              money.unresolved().stream()
                  .filter(it -> it.key().payer().equalsIgnoreCase(payer.address().toString()));
      await().until(() -> mine.get().findFirst().isPresent());
      UnresolvedPayment sent = mine.get().findFirst().orElseThrow();
      await()
          .until(
              () ->
                  money
                      .ledger()
                      .effects()
                      .find(sent.id(), Effects.UNBEGUN)
                      .filter(stream -> stream.outcome() == Effects.Outcome.NOT_DONE)
                      .isPresent());

      refundUnbegun();
      assertThat(money.ledger().refunds().of(sent.id())).isEmpty();
      money.close(sent, new Settlement.Settled("0x" + "cd".repeat(32)));
      refundUnbegun();
      refundUnbegun();

      assertThat(money.ledger().refunds().of(sent.id()))
          .singleElement()
          .satisfies(refund -> assertThat(refund.amount()).isEqualTo(10_000));
    }

    private void refundUnbegun() {
      new LedgerTasks(
              money.ledger(), money.unresolvedPayments(), money.facilitators(), Clock.systemUTC())
          .of(Backoff.defaults(), Duration.ofSeconds(1)).stream()
              .filter(task -> task.name().equals("refund-unbegun"))
              .forEach(task -> task.work().run());
    }
  }

  @Nested
  class Repriced extends RepricedContract {
    Repriced() {
      super(new Jersey());
    }
  }

  @Nested
  class InDoubt extends DoubtContract {
    InDoubt() {
      super(new Jersey());
    }
  }

  @Nested
  class Clients extends ClientsContract {
    Clients() {
      super(new Jersey());
    }
  }

  @Nested
  class Identifiers extends IdentifiersContract {
    Identifiers() {
      super(new Jersey());
    }
  }

  @Nested
  class Deployments extends DeploymentContract {
    Deployments() {
      super(new Jersey());
    }
  }

  @Nested
  class Keys extends KeysHostContract {
    Keys() {
      super(new Jersey());
    }
  }

  @Nested
  class Netted extends NettedContract {
    Netted() {
      super(new Jersey());
    }
  }

  @Nested
  class PaidLater extends LaterContract {
    PaidLater() {
      super(new Jersey());
    }
  }

  @Nested
  class Resumed extends ResumedContract {
    Resumed() {
      super(new Jersey());
    }
  }

  private static final class Jersey implements JaxRs {

    @Override
    public RuntimeDelegate delegate() {
      return new RuntimeDelegateImpl();
    }

    @Override
    public Servlet servlet(Application application, ServletContextHandler context) {
      ResourceConfig config = ResourceConfig.forApplication(application);
      // Jersey holds the first bytes of a stream back otherwise.
      config.property(ServerProperties.OUTBOUND_CONTENT_LENGTH_BUFFER, 0);
      return new ServletContainer(config);
    }
  }
}
