package dev.octroi.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrustedProxiesTest {

  private static final TrustedProxies PROXIES =
      new TrustedProxies(List.of("10.0.0.0/8", "::1", "192.168.1.7"));

  private static String same(String address) {
    return new TrustedProxies(List.of()).origin(address, null).client();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10.1.2.3    | 203.0.113.9                  | 203.0.113.9",
        "10.1.2.3    | 198.51.100.1, 203.0.113.9    | 203.0.113.9",
        "10.1.2.3    | 203.0.113.9, 192.168.1.7     | 203.0.113.9",
        "192.168.1.7 | 203.0.113.9                  | 203.0.113.9",
        "192.168.1.8 | 203.0.113.9                  | 192.168.1.8",
        "203.0.113.1 | 203.0.113.9                  | 203.0.113.1",
        "10.1.2.3    | nonsense                     | 10.1.2.3",
        "::1         | 2001:db8:1:2::9              | 2001:db8:1:2::1",
      })
  void aForwardedAddressIsBelievedFromTrustedProxiesOnly(
      String direct, String forwarded, String client) {
    assertThat(PROXIES.origin(direct, forwarded).client()).isEqualTo(same(client));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "203.0.113.1 | 10.1.2.3                          | 0",
        "10.1.2.3    |                                   | 1",
        "10.1.2.3    | 203.0.113.9                       | 1",
        "10.1.2.3    | 203.0.113.9, 192.168.1.7          | 2",
        "10.1.2.3    | 10.9.9.9, 203.0.113.9, 10.1.1.1   | 2",
        "10.1.2.3    | 10.1.1.1                          | 2",
      })
  void proxiesAreCountedUpToTheFirstThatIsNotTrusted(
      String direct, @Nullable String forwarded, int proxies) {
    assertThat(PROXIES.origin(direct, forwarded).proxies()).isEqualTo(proxies);
  }

  @Test
  void anIpv6NetworkIsOneClientAndTheNextNetworkAnother() {
    assertThat(same("2001:db8:1:2::9")).isEqualTo(same("2001:db8:1:2:ffff::1"));
    assertThat(same("2001:db8:1:2::9")).isNotEqualTo(same("2001:db8:1:3::9"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"proxy.example", "10.0.0.0/33", "10.0.0.0/-1", "::/129", ""})
  void aBlockThatCannotBeReadIsRefused(String block) {
    assertThatThrownBy(() -> new TrustedProxies(List.of(block)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
