package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.Sandbox;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL at random moments to either of two nodes on one PostgreSQL, while payers lease numbers,
 * place calls and have pictures made: whatever a killed node left open, the other one ends, and no
 * payer has paid for anything twice, or for nothing. {@code -Doctroi.kill.nodes} says how many are
 * killed, {@code -Doctroi.kill.minutes} when no more are, {@code -Doctroi.kill.seed} repeats the
 * moments.
 */
@Tag("slow")
class KilledJobsIT {

  private static final int KILLS = Integer.getInteger("octroi.kill.nodes", 12);
  private static final Duration LONGEST =
      Duration.ofMinutes(Long.getLong("octroi.kill.minutes", 24 * 60));
  private static final long SEED = Long.getLong("octroi.kill.seed", System.nanoTime());
  private static final int BUYERS = 4;
  private static final int LONGEST_MILLIS = 2_500;
  private static final String SECRET = "A".repeat(43) + "=";
  private static final Duration CLOSED_WITHIN = Duration.ofMinutes(10);

  private final List<GatewayNode> nodes = new ArrayList<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private final Sandbox sandbox = Sandbox.start();
  private SharedPostgres server;

  @BeforeEach
  void open(@TempDir Path folder) throws Exception {
    server = SharedPostgres.start();
    for (String name : List.of("one", "two")) {
      nodes.add(GatewayNode.start(jar(folder.resolve(name), name)));
    }
    nodes.forEach(GatewayNode::awaitReady);
  }

  private BuiltJar jar(Path data, String name) throws Exception {
    Map<String, String> settings = new HashMap<>(sandbox.settings());
    settings.put("gateway.database.node", name);
    settings.put("gateway.database.answer-key", SECRET);
    settings.put("gateway.keys.master-key", SECRET);
    // A picture that takes a second makes a job, and a call is over soon.
    settings.put("gateway.language.deadline", "30s");
    settings.put("gateway.images.fast-path", "300ms");
    BuiltJar jar = server.under(BuiltJar.quickIn(data, "--port", "0", "--data", data.toString()));
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      jar = jar.set(setting.getKey(), setting.getValue());
    }
    return jar;
  }

  @AfterEach
  void close() throws Exception {
    nodes.forEach(GatewayNode::close);
    sandbox.close();
    if (server != null) {
      server.close();
    }
  }

  private List<URI> bases() {
    return nodes.stream().map(GatewayNode::base).toList();
  }

  @Test
  @Tag("spec:money.6")
  @Tag("spec:money.9")
  @Tag("spec:money.2")
  void whicheverNodeIsKilledWheneverNothingIsPaidForTwiceOrForNothing() throws Exception {
    System.out.println("killed works: " + KILLS + " kills, -Doctroi.kill.seed=" + SEED);
    Random random = new Random(SEED);
    List<Shopper> shoppers = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(BUYERS + nodes.size());
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (int i = 0; i < BUYERS; i++) {
      Shopper shopper = new Shopper(this::bases, new Random(random.nextLong()));
      shoppers.add(shopper);
      ends.add(CompletableFuture.runAsync(() -> shopper.shopUntil(over), threads));
    }
    long end = System.nanoTime() + LONGEST.toNanos();
    AtomicInteger kills = new AtomicInteger();
    List<CompletableFuture<Void>> killers = new ArrayList<>();
    for (GatewayNode node : nodes) {
      Random moments = new Random(random.nextLong());
      killers.add(
          CompletableFuture.runAsync(
              () -> {
                while (kills.getAndIncrement() < KILLS && System.nanoTime() < end) {
                  kill(node, 1 + moments.nextInt(LONGEST_MILLIS), ends);
                }
              },
              threads));
    }
    CompletableFuture.allOf(killers.toArray(CompletableFuture[]::new)).join();
    System.out.println("killed works: " + (kills.get() - nodes.size()) + " were killed");
    over.set(true);
    CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
    CompletableFuture.allOf(
            shoppers.stream()
                .map(shopper -> CompletableFuture.runAsync(shopper::haveTheRest, threads))
                .toArray(CompletableFuture[]::new))
        .join();
    threads.shutdown();
    judge(shoppers);
  }

  /** Nodes are killed each at its own pace, so that at times none is there. */
  private static void kill(GatewayNode node, int millis, List<CompletableFuture<Void>> shoppers) {
    try {
      assertThat(anyFailed(shoppers, millis)).as("a shopper gave up").isFalse();
      node.killAndRestart();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Lets them shop for a moment. */
  private static boolean anyFailed(List<CompletableFuture<Void>> ends, int millis) {
    try {
      CompletableFuture.anyOf(ends.toArray(CompletableFuture[]::new))
          .get(millis, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException stillShopping) {
      return false;
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  private void judge(List<Shopper> shoppers) throws Exception {
    Operator operator = nodes.get(0).operator();
    await()
        .atMost(CLOSED_WITHIN)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> operator.get("effects?outcome=unknown").path("data").isEmpty());
    List<Shopper.Bought> bought = shoppers.stream().flatMap(it -> it.bought().stream()).toList();
    try (LedgerTables tables = server.tables()) {
      for (Shopper.Bought one : bought) {
        assertThat(LedgerTables.START - tables.balance(one.payer()))
            .as("what was paid for %s", one)
            .isEqualTo(one.price());
      }
      tables.assertBooksAgree();
      tables.assertNothingReserved();
      long numbers = bought.stream().filter(one -> one.ware() == Shopper.Ware.NUMBER).count();
      assertThat(tables.count("lease")).as("leases").isEqualTo(numbers);
      assertThat(numbersAtTheVendor()).as("numbers that the vendor leased").hasSize((int) numbers);
      System.out.println("killed works: " + numbers + " numbers, " + bought.size() + " purchases");
    }
    operator.assertBooksAgree();
  }

  private List<JsonNode> numbersAtTheVendor() throws Exception {
    URI all =
        URI.create(
            sandbox.settings().get("gateway.upstream.phone.base-address")
                + "/Accounts/any/IncomingPhoneNumbers.json?PageSize=1000");
    List<JsonNode> numbers = new ArrayList<>();
    HttpRequest asked =
        HttpRequest.newBuilder(all).header("Authorization", "Basic c2FuZGJveDpzYW5kYm94").build();
    HttpResponse<String> answer = Offer.HTTP.send(asked, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    new ObjectMapper().readTree(answer.body()).path("incoming_phone_numbers").forEach(numbers::add);
    return numbers;
  }
}
