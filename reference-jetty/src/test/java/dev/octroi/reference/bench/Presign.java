package dev.octroi.reference.bench;

import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentRequired;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Signs payments before a load run, so that the load generator only sends: a line a payment, the
 * request target and the payment header. An authorization lives five minutes.
 */
public final class Presign {

  private static final int WALLETS = 100;

  private Presign() {}

  /** Arguments: the file to write, how many payments, and the addresses, which take turns. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int count = Integer.parseInt(arguments[1]);
    List<Target> targets = new ArrayList<>();
    for (String address : List.of(arguments).subList(2, arguments.length)) {
      targets.add(Target.of(URI.create(address)));
    }
    List<PaymentSigner> signers =
        IntStream.range(0, WALLETS)
            .mapToObj(i -> new PaymentSigner(Wallet.generate(), Clock.systemUTC()))
            .toList();
    List<String> lines =
        IntStream.range(0, count)
            .parallel()
            .mapToObj(i -> targets.get(i % targets.size()).line(signers.get(i % WALLETS)))
            .toList();
    Files.write(Path.of(arguments[0]), lines);
  }

  /** What is paid for, as its challenge tells it. */
  private record Target(URI address, PaymentRequired challenge) {

    static Target of(URI address) throws IOException, InterruptedException {
      HttpResponse<Void> unpaid =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.discarding());
      String header =
          unpaid
              .headers()
              .firstValue(PaymentHeaders.PAYMENT_REQUIRED)
              .orElseThrow(() -> new IOException(address + " answered " + unpaid.statusCode()));
      return new Target(address, PaymentRequired.read(header));
    }

    String line(PaymentSigner signer) {
      String target = address.getRawPath();
      String query = address.getRawQuery();
      String payment = signer.sign(challenge, challenge.accepts().get(0));
      return (query == null ? target : target + "?" + query) + " " + payment;
    }
  }
}
