package dev.octroi.payments.evm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.octroi.payments.x402.PaymentRequirements;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.web3j.crypto.StructuredDataEncoder;

class ReceiptSignerTest {

  private static final ReceiptSigner.Receipt RECEIPT =
      new ReceiptSigner.Receipt(
          "eip155:8453",
          "https://api.example.com/premium-data",
          "0x857b06519E91e3A54538791bDbb0E22373e36b66",
          Instant.ofEpochSecond(1703123456),
          "0x1234567890abcdef1234567890abcdef1234567890abcdef1234567890abcdef");

  /** The extension's schema, hashed by an independent implementation. */
  private static final String TYPED_DATA =
      """
      {"types":{"EIP712Domain":[{"name":"name","type":"string"},{"name":"version","type":"string"},
      {"name":"chainId","type":"uint256"}],"Receipt":[{"name":"version","type":"uint256"},
      {"name":"network","type":"string"},{"name":"resourceUrl","type":"string"},
      {"name":"payer","type":"string"},{"name":"issuedAt","type":"uint256"},
      {"name":"transaction","type":"string"}]},"primaryType":"Receipt",
      "domain":{"name":"x402 receipt","version":"1","chainId":1},
      "message":{"version":1,"network":"eip155:8453",
      "resourceUrl":"https://api.example.com/premium-data",
      "payer":"0x857b06519E91e3A54538791bDbb0E22373e36b66","issuedAt":1703123456,
      "transaction":"0x1234567890abcdef1234567890abcdef1234567890abcdef1234567890abcdef"}}
      """;

  @Test
  @Tag("spec:x402.extension.offer_receipt")
  void theDigestIsThatOfTheExtensionsSchema() throws Exception {
    assertThat(RECEIPT.digest())
        .isEqualTo(new StructuredDataEncoder(TYPED_DATA).hashStructuredData());
  }

  /** As the published package hashes this offer. */
  @Test
  @Tag("spec:x402.extension.offer_receipt")
  void theDigestOfAnOfferIsThatOfThePublishedPackage() {
    PaymentRequirements terms =
        new PaymentRequirements(
            "exact",
            "eip155:8453",
            "10000",
            "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
            "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
            60,
            null);

    assertThat(
            Hex.of(
                new ReceiptSigner.Offer(
                        "https://api.example.com/premium-data",
                        terms,
                        Instant.ofEpochSecond(1703123516))
                    .digest()))
        .isEqualTo("0x080c2947f96376213d3de762c32b1f56ba5869acdeb87c7a44b7be5d33d397ea");
  }

  @Test
  @Tag("spec:x402.extension.offer_receipt")
  void aSignedReceiptNamesItsSigner() {
    ReceiptSigner signer = new ReceiptSigner("0x" + "03".repeat(32));

    Map<String, Object> signed = signer.sign(RECEIPT);

    assertThat(signed).containsKeys("format", "payload", "signature");
    byte[] signature = Hex.parse((String) signed.get("signature"));
    assertThat(Signatures.pureJava().signer(RECEIPT.digest(), signature))
        .hasValue(signer.address());
    assertThat(signer.toString()).doesNotContain("0303");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0x", "zz", "0x01"})
  void whatIsNoPrivateKeyIsRefused(String key) {
    assertThatIllegalArgumentException().isThrownBy(() -> new ReceiptSigner(key));
  }
}
