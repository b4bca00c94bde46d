package dev.octroi.reference.bench;

import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.TokenDomain;
import dev.octroi.payments.evm.channel.ChannelConfig;
import dev.octroi.payments.evm.channel.ChannelDeposit;
import dev.octroi.payments.evm.channel.ChannelPayload;
import dev.octroi.payments.evm.channel.TokenDeposit;
import dev.octroi.payments.evm.channel.Voucher;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Opens channels, each by one paid call, and signs the vouchers of the calls after it before a load
 * run: a file a channel, a line a call, in the order in which they must be sent.
 */
public final class Vouchers {

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final byte[] SALT = new byte[32];

  private Vouchers() {}

  /** Arguments: the file, how many channels, how many calls of each, and the address. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    URI address = URI.create(arguments[3]);
    HttpResponse<Void> unpaid =
        HTTP.send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding());
    PaymentRequired challenge =
        PaymentRequired.read(
            unpaid.headers().firstValue(PaymentHeaders.PAYMENT_REQUIRED).orElseThrow());
    for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
      List<String> calls = new Channel(challenge).opened(address, Integer.parseInt(arguments[2]));
      Files.write(Path.of(arguments[0] + "." + i), calls);
    }
  }

  /** One wallet's channel with the seller. */
  private static final class Channel {

    private final Wallet wallet = Wallet.generate();
    private final PaymentRequired challenge;
    private final PaymentRequirements terms;
    private final ChannelConfig config;
    private final long chain;
    private final BigInteger price;

    Channel(PaymentRequired challenge) {
      this.challenge = challenge;
      terms =
          challenge.accepts().stream()
              .filter(PaymentRequirements::isChannel)
              .findFirst()
              .orElseThrow(() -> new IllegalStateException("no channels are offered"));
      price = new BigInteger(terms.amount());
      chain = TokenDomain.chainId(terms.network());
      config =
          new ChannelConfig(
              wallet.address(),
              wallet.address(),
              EvmAddress.parse(terms.payTo()),
              EvmAddress.parse(extra(PaymentOption.RECEIVER_AUTHORIZER)),
              EvmAddress.parse(terms.asset()),
              Long.parseLong(extra(PaymentOption.WITHDRAW_DELAY)),
              SALT);
    }

    private String extra(String member) {
      return terms.extra(member).orElseThrow().toString();
    }

    /** Pays for one call with money for all, and signs the others. */
    List<String> opened(URI address, int calls) throws IOException, InterruptedException {
      BigInteger all = price.multiply(BigInteger.valueOf(calls + 1L));
      HttpRequest first =
          HttpRequest.newBuilder(address)
              .header(PaymentHeaders.PAYMENT_SIGNATURE, payment(1, deposit(all)))
              .build();
      HttpResponse<String> answer = HTTP.send(first, BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IOException("a deposit was answered with " + answer.body());
      }
      String target = address.getRawPath() + "?" + address.getRawQuery();
      return IntStream.range(0, calls)
          .parallel()
          .mapToObj(i -> target + " " + payment(i + 2L, null))
          .toList();
    }

    private String payment(long calls, @Nullable ChannelDeposit deposit) {
      Voucher voucher = new Voucher(config.id(chain), price.multiply(BigInteger.valueOf(calls)));
      ChannelPayload payload =
          new ChannelPayload(
              deposit == null ? ChannelPayload.Kind.VOUCHER : ChannelPayload.Kind.DEPOSIT,
              config,
              voucher,
              wallet.sign(voucher.digest(chain)),
              deposit,
              null);
      return PaymentPayload.header(challenge, terms, payload.toJson());
    }

    private ChannelDeposit deposit(BigInteger amount) {
      TokenDomain token = TokenDomain.of(terms).orElseThrow();
      BigInteger end = BigInteger.valueOf(Instant.now().getEpochSecond() + 60);
      BigInteger salt = BigInteger.ONE;
      TokenDeposit unsigned = new TokenDeposit(amount, BigInteger.ZERO, end, salt, new byte[0]);
      byte[] digest = unsigned.digest(token, wallet.address(), config.id(chain));
      return unsigned.signed(wallet.sign(digest));
    }
  }
}
