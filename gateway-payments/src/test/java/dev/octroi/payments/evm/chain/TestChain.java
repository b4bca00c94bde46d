package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.TransferAuthorization;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Stablecoin;
import java.math.BigInteger;
import java.net.http.HttpClient;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A chain with the real stablecoin, a payer with ten dollars, and payments of that payer. */
final class TestChain implements AutoCloseable {

  static final EvmAddress PAY_TO = EvmAddress.parse("0x209693Bc6afc0C5328bA36FaF03C514EF312287C");
  static final long AMOUNT = 10_000;
  static final long FUNDS = 10_000_000;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final SecureRandom RANDOM = new SecureRandom();

  final Anvil anvil = Anvil.start("--slots-in-an-epoch", "1");
  final Stablecoin coin = Stablecoin.deploy(anvil);
  final CountedNode node = new CountedNode(anvil.url());
  final JsonRpc rpc =
      new JsonRpc(
          HttpClient.newHttpClient(), List.of(node.url()), Anvil.CHAIN_ID, Duration.ofSeconds(10));
  final byte[] key = random();
  final EvmAddress payer = Signatures.pureJava().address(key);

  TestChain() {
    coin.mint(payer.toString(), FUNDS);
  }

  static byte[] random() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  PaymentRequirements terms() {
    return terms(EvmToken.BASE_USDC.address().toString());
  }

  PaymentRequirements terms(String asset) {
    return new PaymentRequirements(
        "exact",
        EvmToken.BASE_USDC.network(),
        Long.toString(AMOUNT),
        asset,
        PAY_TO.toString(),
        300,
        Map.of("name", "USD Coin", "version", "2"));
  }

  /** A payment that is good for two minutes. */
  SignedAuthorization signed() {
    return signed(payer);
  }

  SignedAuthorization signed(EvmAddress from) {
    return signed(from, PAY_TO, random(), EvmToken.BASE_USDC.address());
  }

  SignedAuthorization signed(EvmAddress from, EvmAddress to, byte[] nonce, EvmAddress asset) {
    return signed(from, to, nonce, asset, 120);
  }

  /** One that lives for so many seconds. */
  SignedAuthorization living(long seconds) {
    return signed(payer, PAY_TO, random(), EvmToken.BASE_USDC.address(), seconds);
  }

  private SignedAuthorization signed(
      EvmAddress from, EvmAddress to, byte[] nonce, EvmAddress asset, long seconds) {
    TransferAuthorization authorization =
        new TransferAuthorization(
            from,
            to,
            BigInteger.valueOf(AMOUNT),
            BigInteger.ZERO,
            BigInteger.valueOf(Instant.now().getEpochSecond() + seconds),
            nonce);
    EvmToken usdc = EvmToken.BASE_USDC;
    EvmToken token = new EvmToken(usdc.network(), asset, usdc.name(), usdc.version());
    byte[] digest = authorization.digest(token.domain());
    return new SignedAuthorization(authorization, Signatures.pureJava().sign(digest, key));
  }

  static PaymentPayload payment(SignedAuthorization signed) {
    return new PaymentPayload(
        2,
        null,
        null,
        "exact",
        EvmToken.BASE_USDC.network(),
        JSON.valueToTree(signed.toJson()),
        null,
        new byte[0]);
  }

  /** Sends the payment's transfer by an account that is no relayer; the hash. */
  String settle(SignedAuthorization signed) {
    return anvil
        .execute(anvil.account(1), coin.address(), Hex.of(TokenCalls.transfer(signed)))
        .path("transactionHash")
        .textValue();
  }

  UnresolvedPayment unresolved(SignedAuthorization signed, @Nullable String transaction) {
    TransferAuthorization terms = signed.authorization();
    return new UnresolvedPayment(
        UUID.randomUUID(),
        1,
        new PaymentKey(EvmToken.BASE_USDC.network(), terms.from().lowerCase(), terms.nonceHex()),
        coin.address(),
        PAY_TO.toString(),
        AMOUNT,
        Instant.ofEpochSecond(terms.validBefore().longValueExact()),
        Instant.now(),
        transaction,
        false);
  }

  @Override
  public void close() {
    node.close();
    anvil.close();
  }
}
