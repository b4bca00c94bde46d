package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.chain.ChainPermit2Verifier;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.ResourceInfo;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Contracts;
import java.math.BigInteger;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The scheme upto over one chain with the published client, and with the published facilitator. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UptoPackagesIT {

  private static final String PAY_TO = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
  private static final String PAYER_KEY = "11".repeat(32);
  private static final String FACILITATOR_KEY = "22".repeat(32);
  private static final BigInteger ETHER = BigInteger.TEN.pow(18);
  private static final String CEILING = "40000000000000000";
  private static final String CHARGE = "1000000000000000";

  private final Wallet payer = Wallet.fromHex(PAYER_KEY);
  private final String facilitator = Wallet.fromHex(FACILITATOR_KEY).address().toString();
  private Anvil anvil;
  private String token;

  @BeforeAll
  void startTheChain() throws Exception {
    NodeClients.install();
    anvil = Anvil.start();
    Contracts.deployMulticall3(anvil);
    Contracts.deployPermit2(anvil);
    token = Contracts.deployPlainToken(anvil);
    String account = payer.address().toString();
    anvil.setBalance(facilitator, ETHER);
    anvil.setBalance(account, ETHER);
    anvil.execute(account, token, data("40c10f19", account, ETHER));
    anvil.execute(account, token, data("095ea7b3", Contracts.PERMIT2, ETHER));
  }

  @AfterAll
  void stopTheChain() {
    if (anvil != null) {
      anvil.close();
    }
  }

  private static String data(String selector, String account, BigInteger amount) {
    return "0x" + selector + "0".repeat(24) + account.substring(2) + String.format("%064x", amount);
  }

  private PaymentRequirements terms() {
    return new PaymentRequirements(
        "upto",
        "eip155:8453",
        CEILING,
        EvmAddress.parse(token).toString(),
        PAY_TO,
        300,
        Map.of(
            PaymentOption.TRANSFER_METHOD, Permit2.METHOD, PaymentOption.FACILITATOR, facilitator),
        18);
  }

  @Test
  void whatThePublishedClientSignsIsGood() throws Exception {
    JsonRpc rpc =
        new JsonRpc(
            HttpClient.newHttpClient(),
            List.of(anvil.url()),
            Anvil.CHAIN_ID,
            Duration.ofSeconds(20));
    String offer = new ObjectMapper().writeValueAsString(terms());

    JsonNode signed =
        NodeClients.run(Map.of("PAYER_KEY", "0x" + PAYER_KEY), List.of("upto.mjs", "sign", offer));

    assertThat(
            new ChainPermit2Verifier(Clock.systemUTC(), Signatures.fastest(), rpc, Optional.empty())
                .verify(PaymentPayload.read(signed.path("header").asText()), terms()))
        .isInstanceOfSatisfying(
            Verification.Valid.class,
            valid -> assertThat(valid.payer()).isEqualTo(payer.address().toString()));
  }

  @Test
  void whatWeSignThePublishedFacilitatorChargesInPart() throws Exception {
    ResourceInfo resource = ResourceInfo.at("https://shop.example/read");
    String header =
        new PaymentSigner(payer, Clock.systemUTC())
            .sign(new PaymentRequired(2, null, resource, List.of(terms()), null), terms());

    JsonNode said =
        NodeClients.run(
            Map.of("FACILITATOR_KEY", "0x" + FACILITATOR_KEY, "RPC", anvil.url().toString()),
            List.of("upto.mjs", "settle", header, CHARGE));

    assertThat(said.at("/verified/isValid").asBoolean()).as(said.toString()).isTrue();
    assertThat(said.at("/settled/success").asBoolean()).as(said.toString()).isTrue();
    assertThat(said.at("/settled/amount").asText()).isEqualTo(CHARGE);
    String earned = anvil.ask(token, "0x70a08231" + "0".repeat(24) + PAY_TO.substring(2));
    assertThat(new BigInteger(earned.substring(2), 16)).isEqualTo(new BigInteger(CHARGE));
  }
}
