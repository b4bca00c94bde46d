package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.client.Wallet;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thousand payments at the instant at which a gateway is ready: each is served, or told that
 * nothing was charged; none is in doubt, and all are served when they come again.
 */
@Tag("slow")
class CrowdAtStartIT {

  private static final int CROWD = 1000;
  private static final int TOO_MANY = 429;
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
  private static final int ROUNDS = 120;

  @TempDir private Path data;

  @Test
  void noneIsInDoubtOnH2() throws Exception {
    serveACrowd(UnaryOperator.identity());
  }

  @Test
  void noneIsInDoubtOnPostgres() throws Exception {
    try (SharedPostgres database = SharedPostgres.start()) {
      serveACrowd(database::under);
    }
  }

  private void serveACrowd(UnaryOperator<BuiltJar> database) throws Exception {
    BuiltJar jar = database.apply(BuiltJar.in(data, "--port", "0", "--data", data.toString()));
    for (String limit : List.of("in-flight-per-group", "other-requests-per-minute")) {
      jar = jar.set("gateway.limits." + limit, "10000");
    }
    // What is signed before it starts names an address that it has then as well.
    jar = jar.set("gateway.http.public-url", "http://octroi.test");
    List<Sale> crowd = crowd(jar);
    try (GatewayNode node = GatewayNode.start(jar).awaitReady()) {
      List<HttpResponse<String>> answers = send(crowd, node.base());

      assertThat(answers).allSatisfy(CrowdAtStartIT::isServedOrUncharged);
      List<Sale> rest = refused(crowd, answers);
      for (int round = 0; !rest.isEmpty() && round < ROUNDS; round++) {
        LockSupport.parkNanos(RETRY_AFTER.toNanos());
        rest = refused(rest, send(rest.subList(0, Math.min(50, rest.size())), node.base()));
      }
      assertThat(rest).isEmpty();
    }
  }

  /** A payment of each of many payers. */
  private static List<Sale> crowd(BuiltJar jar) throws Exception {
    try (GatewayNode before = GatewayNode.start(jar).awaitReady()) {
      Offer offer = Offer.query(before.base());
      List<Sale> crowd =
          IntStream.range(0, CROWD)
              .parallel()
              .mapToObj(i -> offer.accept(Wallet.generate()))
              .toList();
      before.stop();
      return crowd;
    }
  }

  private static List<HttpResponse<String>> send(List<Sale> sales, URI base) {
    List<CompletableFuture<HttpResponse<String>>> sent =
        sales.stream().map(sale -> sale.sendAsync(base)).toList();
    return sent.stream().map(CompletableFuture::join).toList();
  }

  private static void isServedOrUncharged(HttpResponse<String> answer) {
    if (answer.statusCode() != 200) {
      assertThat(answer.statusCode()).as(answer.body()).isIn(TOO_MANY, 502, 503);
      assertThat(answer.headers().firstValue("Retry-After")).as(answer.body()).isPresent();
      assertThat(answer.body()).doesNotContain("not known").doesNotContain("cannot be taken");
    }
  }

  /** Those to be sent again; what was not sent at all is among them. */
  private static List<Sale> refused(List<Sale> sales, List<HttpResponse<String>> answers) {
    List<Sale> refused = new ArrayList<>(sales.subList(answers.size(), sales.size()));
    for (int i = 0; i < answers.size(); i++) {
      if (answers.get(i).statusCode() != 200) {
        refused.add(sales.get(i));
      }
    }
    return refused;
  }
}
