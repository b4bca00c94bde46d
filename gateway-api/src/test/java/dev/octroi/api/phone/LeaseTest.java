package dev.octroi.api.phone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.phone.NumberPurchase.Deed;
import dev.octroi.payments.PaymentUse;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.phone.PhoneNumbers.Country;
import dev.octroi.services.phone.PhoneNumbers.LeasedNumber;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever is done to a lease in whatever order, its states hold. */
class LeaseTest {

  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

  /** What can be done to a lease; each names what it does in a failed run. */
  enum Step {
    RENEW((lease, now) -> lease.renewed()),
    PAY((lease, now) -> lease.paidForBy(Optional.of(new PaymentUse(new UUID(0, 1), "r")))),
    RENEW_ITSELF((lease, now) -> lease.renewedItself()),
    FREE((lease, now) -> lease.paidForBy(Optional.empty())),
    DUE((lease, now) -> lease.due()),
    EXPIRE((lease, now) -> lease.expired(now)),
    RELEASE((lease, now) -> lease.released(now)),
    LOOK((lease, now) -> lease.lookedAt(now)),
    GIVE_BACK((lease, now) -> lease.givenBack());

    private final BiFunction<Lease, Instant, Lease> change;

    Step(BiFunction<Lease, Instant, Lease> change) {
      this.change = change;
    }
  }

  private static Lease bought() {
    LeasedNumber number = new LeasedNumber("PN1", new PhoneNumber("+14155550100"));
    return Lease.bought(
        new Deed(
            new UUID(0, 7), number, Country.US, "account:" + new UUID(0, 8), "eip155:1", START));
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Arbitraries.of(Step.class).list().ofMaxSize(12);
  }

  @Property(tries = 500)
  @Tag("spec:state.lease.released")
  void whatHasEndedStaysEndedAndTermsAreWhole(@ForAll("steps") List<Step> steps) {
    Lease lease = bought();
    Instant now = START;
    for (Step step : steps) {
      now = now.plus(Duration.ofDays(4));
      boolean held = lease.state().isHeld();
      boolean allowed =
          switch (step) {
            case LOOK -> true;
            case GIVE_BACK -> !held;
            default -> held;
          };
      Lease before = lease;
      Instant at = now;
      if (!allowed) {
        assertThatThrownBy(() -> step.change.apply(before, at))
            .isInstanceOf(IllegalStateException.class);
        continue;
      }
      lease = step.change.apply(before, at);
      assertThat(held || !lease.state().isHeld()).as("ended for ever").isTrue();
      assertThat(lease.endedAt().isPresent()).isEqualTo(!lease.state().isHeld());
      Duration longer = Duration.between(before.expiresAt(), lease.expiresAt());
      assertThat(longer)
          .isEqualTo(step == Step.RENEW || step == Step.RENEW_ITSELF ? Lease.TERM : Duration.ZERO);
      assertThat(lease.lookAt().isPresent() || step == Step.GIVE_BACK).isTrue();
    }
  }

  @Test
  void aLeaseIsHeldUntilTheEndOfItsGraceHoweverFarTheTaskHasCome() {
    Lease lease = bought();
    Instant end = START.plus(Lease.TERM);
    assertThat(lease.isActive(end.minusSeconds(1))).isTrue();
    assertThat(lease.isActive(end)).isFalse();
    assertThat(lease.isHeld(end.plus(Lease.GRACE).minusSeconds(1))).isTrue();
    assertThat(lease.isHeld(end.plus(Lease.GRACE))).isFalse();
    assertThat(lease.due().isActive(START)).isFalse();
  }

  @Test
  void anOwnersRenewalLeavesThePaymentUnderWayItsOwnTerm() {
    PaymentUse use = new PaymentUse(new UUID(0, 1), "r");
    Lease renewed = bought().due().paidForBy(Optional.of(use)).renewed();
    assertThat(renewed.renewal()).contains(use);
    assertThat(renewed.lookAt()).contains(START.plus(Lease.TERM));
    Lease twice = renewed.renewedItself();
    assertThat(twice.expiresAt()).isEqualTo(START.plus(Lease.TERM.multipliedBy(3)));
    assertThat(twice.renewal()).isEmpty();
  }
}
