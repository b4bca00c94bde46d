package dev.octroi.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnHostsTest {

  private static final OwnHosts HOSTS =
      new OwnHosts(
          GatewaySettings.read(
                  SettingsSources.none()
                      .values(
                          "test",
                          Map.of(
                              "gateway.http.public-url", "https://pay.example:444/gate",
                              "gateway.http.hosts", "API.example,[2001:db8::1]")))
              .http());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.8.9.10",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "::1",
        "[::1]",
        "0:0:0:0:0:0:0:1",
        "::ffff:127.0.0.1"
      })
  void theLoopbackAddressIsThisMachine(String host) {
    assertThat(OwnHosts.isLoopback(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1.example",
        "127.0.0",
        "127.0.0.256",
        "127.0.0.01",
        "0.0.0.0",
        "::",
        "::2",
        "1::1",
        "128.0.0.1",
        "2130706433",
        "a.localhost",
        "localhost..",
        ".:1",
        ""
      })
  void everythingElseIsNot(String host) {
    assertThat(OwnHosts.isLoopback(host)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pay.example",
        "PAY.example:444",
        "pay.example.:1",
        "api.example:8443",
        "[2001:db8::1]:80",
        "a.localhost:3000",
        "[::1]:8402",
        "::1"
      })
  void aHostIsOursWhateverItsPort(String authority) {
    assertThat(HOSTS.contains(authority)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "example",
        "x.pay.example",
        "pay.example.evil",
        "localhost.evil",
        "localhost,evil",
        "evil#localhost",
        "[2001:db8::2]:80",
        ":80",
        ""
      })
  void noOtherHostIsOurs(String authority) {
    assertThat(HOSTS.contains(authority)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://pay.example:444", "HTTPS://PAY.example:444", "http://localhost:1",
        "https://api.example", "http://api.example:3000", "http://[::1]"
      })
  void pagesOfOurHostsAndOfThePublicAddressAreOurs(String origin) {
    assertThat(HOSTS.isOwnPage(origin)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://pay.example",
        "http://pay.example:444",
        "https://evil.example",
        "ftp://localhost",
        "localhost",
        "//localhost",
        "http://user@localhost",
        "http://localhost@evil.example",
        "null",
        "file://",
        "no uri",
        ""
      })
  void noOtherPageIsOurs(String origin) {
    assertThat(HOSTS.isOwnPage(origin)).isFalse();
  }
}
