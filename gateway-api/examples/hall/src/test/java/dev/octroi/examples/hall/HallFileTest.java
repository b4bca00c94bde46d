package dev.octroi.examples.hall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hall as it is run, with its books in a file. */
class HallFileTest {

  private final PayingClient client =
      new PayingClient(
          HttpClient.newHttpClient(),
          new PaymentSigner(Wallet.generate(), Clock.systemUTC()),
          SpendingLimit.of(Usd.parse("1")));

  @Test
  void whatWasSoldIsSoldAfterARestartToo(@TempDir Path folder) throws Exception {
    String payment;
    try (Hall hall = Hall.open(folder, 0)) {
      PaidAnswer first = client.send(seat(hall.base()));
      assertThat(body(first)).isEqualTo("seat 1\n");
      payment = Objects.requireNonNull(first.payment());
    }
    try (Hall hall = Hall.open(folder, 0)) {
      assertThat(body(client.sendAgain(seat(hall.base()), payment))).doesNotContain("seat 2");
      assertThat(body(client.send(seat(hall.base())))).isEqualTo("seat 2\n");
    }
  }

  private static HttpRequest seat(URI base) {
    return HttpRequest.newBuilder(base.resolve("/seats")).POST(BodyPublishers.noBody()).build();
  }

  private static String body(PaidAnswer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
