package dev.octroi.junit;

import dev.octroi.payments.Usd;
import java.net.URI;
import java.net.http.HttpClient;

/** A host that serves, with what it was started on. */
record RunningHost(URI base, TestGround ground, HttpClient http) implements AutoCloseable {

  /** Starts a host, or closes what was started of it. */
  static RunningHost of(HostStart start) {
    TestGround ground = TestGround.open();
    try {
      HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
      return new RunningHost(start.start(ground), ground, http);
    } catch (Exception | Error e) {
      throw ground.closedAfter(e);
    }
  }

  Payer payer(Usd funds) {
    return new Payer(base, http, ground.balances(), funds);
  }

  @Override
  public void close() {
    ground.close();
  }
}
