package dev.octroi.examples.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import org.junit.jupiter.api.Test;

@QuarkusTest
class TidesTest {

  @TestHTTPResource("/tides/lisbon")
  URI tides;

  @Test
  void theTidesCostACentAndAreHadForIt() throws Exception {
    HttpRequest call = HttpRequest.newBuilder(tides).build();
    HttpClient http = HttpClient.newHttpClient();
    assertThat(http.send(call, BodyHandlers.discarding()).statusCode()).isEqualTo(402);

    PaidAnswer answer =
        new PayingClient(
                http,
                new PaymentSigner(Wallet.generate(), Clock.systemUTC()),
                SpendingLimit.of(Usd.parse("0.01")))
            .send(call);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(new String(answer.body())).startsWith("lisbon: high at");
    assertThat(answer.receipt().success()).isTrue();
  }
}
