package dev.octroi.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.LongRange;

@Tag("spec:decision.amounts")
class UsdTest {

  @Property
  void dollarsBecomeAtomicUnitsAndComeBackUnrounded(
      @ForAll @LongRange(max = Usd.MAX_MICROS) long micros) {
    Usd amount = new Usd(micros);

    assertThat(Usd.parse(amount.dollars())).isEqualTo(amount);
    assertThat(amount.atomicUnits(6)).isEqualTo(Long.toString(micros));
    assertThat(new BigDecimal(amount.dollars()).movePointRight(6))
        .isEqualByComparingTo(new BigDecimal(micros));
    assertThat(amount.dollars()).matches("[0-9]+[.][0-9]{6}");
  }

  @Example
  void theGreaterOfTwoAmountsIsTheSameEitherWay() {
    Usd less = Usd.parse("0.54");
    Usd more = Usd.parse("4.2");
    assertThat(less.max(more)).isEqualTo(more);
    assertThat(more.max(less)).isEqualTo(more);
    assertThat(more.max(more)).isEqualTo(more);
  }

  @Example
  void aPriceIsStatedWithSixPlacesAndAskedInAtomicUnits() {
    assertThat(Usd.parse("0.0095").dollars()).isEqualTo("0.009500");
    assertThat(Usd.parse("0.0095").atomicUnits(6)).isEqualTo("9500");
  }

  @Example
  void whatWouldHaveToBeRoundedIsRefused() {
    for (String text : new String[] {"0.0000001", "1.2345678", "1e-3", "-1", "", ".5", "1,5"}) {
      assertThatThrownBy(() -> Usd.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> Usd.of(new BigDecimal("0.0000001")))
        .isInstanceOf(ArithmeticException.class);
  }
}
