package dev.octroi.services.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CryptoDataReadTest {

  @Test
  @Tag("spec:endpoint.crypto")
  void theRowsAreTheSpecificationsInItsOrder() throws IOException {
    List<String> rows =
        Arrays.stream(CryptoDataRead.values()).map(CryptoDataReadTest::row).toList();
    assertThat(rows).containsExactlyElementsOf(specified());
  }

  @Test
  @Tag("spec:limit.price_per_call")
  @Tag("spec:price.crypto")
  void everyRowCostsTheSame() {
    assertThat(CryptoDataRead.values())
        .allSatisfy(row -> assertThat(row.price()).isEqualByComparingTo("0.0095"));
  }

  @Test
  void aPathNamesItsRow() {
    assertThat(CryptoDataRead.values())
        .allSatisfy(row -> assertThat(CryptoDataRead.match(row.path())).contains(row));
    assertThat(CryptoDataRead.match("/exchange/price/")).isEmpty();
    assertThat(CryptoDataRead.match("/Exchange/price")).isEmpty();
    assertThat(CryptoDataRead.match("/onchain/sql")).isEmpty();
  }

  @Test
  void everyDefaultIsAValueThatIsTaken() {
    assertThat(CryptoDataRead.values())
        .flatExtracting(CryptoDataRead::parameters)
        .filteredOn(parameter -> parameter.defaultValue() != null)
        .filteredOn(parameter -> !parameter.allowed().isEmpty())
        .allSatisfy(
            parameter -> assertThat(parameter.allowed()).contains(parameter.defaultValue()));
  }

  private static String row(CryptoDataRead row) {
    return row.path()
        + "\t"
        + row.parameters().stream()
            .map(parameter -> parameter.name() + (parameter.required() ? "*" : ""))
            .collect(Collectors.joining(" "));
  }

  private static List<String> specified() throws IOException {
    try (InputStream in =
        CryptoDataReadTest.class.getResourceAsStream("/dev/octroi/services/cryptodata-rows.tsv")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    }
  }
}
