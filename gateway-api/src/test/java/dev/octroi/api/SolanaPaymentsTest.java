package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.SolanaSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.solana.Base58;
import dev.octroi.payments.solana.SolanaWallet;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Solana by settings. */
class SolanaPaymentsTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";
  private static final String PAY_TO = "gateway.solana.pay-to";
  private static final SolanaWallet SELLER = SolanaWallet.generate();
  private static final SolanaWallet FEE_PAYER = SolanaWallet.generate();

  private static final Map<String, String> REAL =
      Map.of(
          PAY_TO,
          SELLER.address().toString(),
          "gateway.payments.pay-to",
          "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
          "gateway.payments.mode",
          "remote",
          "gateway.facilitator.urls",
          "http://127.0.0.1:1");

  @Test
  @Tag("spec:payment.rule.1")
  void theSandboxPlaysTheChainToo() throws Exception {
    try (GatewayHost host = new GatewayHost(Map.of(PAY_TO, SELLER.address().toString()))) {
      PayingClient client = client(host);
      PaidAnswer quoted = client.quote(host.http().request(READ).build());
      assertThat(quoted.quote()).isNotNull();
      assertThat(quoted.quote().challenge().accepts())
          .extracting(offer -> offer.network().substring(0, 6))
          .containsExactly("eip155", "solana");

      PaidAnswer paid = client.send(host.http().request(READ).build());

      assertThat(paid.status()).isEqualTo(200);
      assertThat(paid.receipt()).isNotNull();
      assertThat(paid.receipt().network()).startsWith("solana:");
      assertThat(paid.receipt().transaction()).startsWith("sandbox:");
      assertThat(host.paid(READ).receipt().network()).startsWith("eip155:");
    }
  }

  @Test
  @Tag("spec:error.x402.insufficient_stablecoin")
  void aPayerWithoutTheMoneyIsToldSoInTheWordsOfItsChain() throws Exception {
    Map<String, String> poor =
        Map.of(PAY_TO, SELLER.address().toString(), "gateway.sandbox.starting-balance", "0.000001");
    try (GatewayHost host = new GatewayHost(poor)) {
      assertThat(client(host).send(host.http().request(READ).build()).refusal())
          .isEqualTo("insufficient_funds");
      assertThat(host.paid(READ).refusal()).isEqualTo("invalid_exact_evm_insufficient_balance");
    }
  }

  @Test
  @Tag("spec:payment.rule.1")
  void withoutARecipientNothingIsOfferedThere() {
    try (GatewayHost host = new GatewayHost(Map.of())) {
      assertThat(host.http().get(READ).body()).contains("eip155:").doesNotContain("solana:");
    }
  }

  /** A remote facilitator that was never heard has told no fee payer. */
  @Test
  @Tag("spec:payment.rule.1")
  void withoutAFeePayerNothingIsOfferedThere() {
    try (GatewayHost host = new GatewayHost(real())) {
      assertThat(host.http().get(READ).body()).contains("eip155:").doesNotContain("solana:");
    }
  }

  @Test
  @Tag("spec:payment.rule.1")
  void anOwnFeePayerIsOfferedBesideARemoteFacilitator() {
    Map<String, String> own =
        real(
            "gateway.solana.fee-payer-key",
            Base58.encode(FEE_PAYER.keypair()),
            "gateway.solana.rpc-url",
            "http://127.0.0.1:1");
    try (GatewayHost host = new GatewayHost(own)) {
      assertThat(host.http().get(READ).body())
          .contains("\"feePayer\":\"" + FEE_PAYER.address() + "\"");
    }
  }

  @Test
  void whatCannotBeUsedIsToldAtTheStart() {
    assertProblem(Map.of(PAY_TO, "nonsense!"), "gateway.solana.pay-to: ");
    assertProblem(
        Map.of(PAY_TO, SELLER.address().toString(), "gateway.solana.asset", "short"),
        "gateway.solana.asset: ");
    assertProblem(
        real("gateway.solana.fee-payer-key", "nonsense", "gateway.solana.rpc-url", "http://h"),
        "gateway.solana.fee-payer-key: ");
    assertProblem(
        real("gateway.solana.fee-payer-key", Base58.encode(FEE_PAYER.keypair())),
        "gateway.solana.rpc-url is not set");
    assertProblem(
        real("gateway.payments.mode", "chain"), "gateway.solana.fee-payer-key is not set");
  }

  private static void assertProblem(Map<String, String> settings, String problem) {
    assertThatThrownBy(() -> new GatewayHost(settings).close())
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining(problem)
        .message()
        .doesNotContain("nonsense\"", Base58.encode(FEE_PAYER.keypair()));
  }

  private static Map<String, String> real(String... more) {
    Map<String, String> all = new HashMap<>(REAL);
    all.put("gateway.sandbox.allow-live-upstreams-or-public-address-with-worthless-money", "false");
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }

  private static PayingClient client(GatewayHost host) {
    SolanaSigner signer =
        new SolanaSigner(
            SolanaWallet.generate(),
            () -> {
              throw new IOException("nobody asks a chain");
            });
    return new PayingClient(host.http().client(), signer, SpendingLimit.of(Usd.parse("1")));
  }
}
