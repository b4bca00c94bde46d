package dev.octroi.payments.evm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvmAddressTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
        "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb"
      })
  void theChecksumIsTheOneOfEip55(String checksummed) {
    EvmAddress lower = EvmAddress.parse(checksummed.toLowerCase(Locale.ROOT));

    assertThat(lower).hasToString(checksummed).isEqualTo(EvmAddress.parseChecked(checksummed));
  }

  @Test
  void aTypedAddressWithAWrongChecksumIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EvmAddress.parseChecked("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0x",
        "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed00",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg",
        "0x５aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
      })
  void whatIsNotTwentyBytesOfHexIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> EvmAddress.parse(text));
  }
}
