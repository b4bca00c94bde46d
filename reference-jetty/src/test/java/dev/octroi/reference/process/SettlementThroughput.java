package dev.octroi.reference.process;

import dev.octroi.payments.client.Wallet;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures paid reads that settle on a chain: one by one and confirmed, beside batches whose
 * answers leave once they are broadcast. Prints a row of a table for each. The node makes a block a
 * second, which holds at most {@value #BLOCK_GAS} gas.
 */
public final class SettlementThroughput {

  private static final int PAYERS = 50;
  private static final long BLOCK_GAS = 30_000_000;

  private SettlementThroughput() {}

  /** How the gateway settles, and in which database. */
  private record Way(String name, String until, int batch, String database) {}

  /** Arguments: how many calls, how many connections, and the address of PostgreSQL. */
  public static void main(String[] arguments) throws Exception {
    int calls = Integer.parseInt(arguments[0]);
    int connections = Integer.parseInt(arguments[1]);
    for (Way way :
        List.of(
            new Way("confirmed, one by one", "confirmed", 1, "chain_a"),
            new Way("confirmed, batches of up to 32", "confirmed", 32, "chain_b"),
            new Way("broadcast, one by one", "broadcast", 1, "chain_c"),
            new Way("broadcast, batches of up to 32", "broadcast", 32, "chain_d"))) {
      measure(way, calls, connections, arguments[2]);
    }
  }

  private static void measure(Way way, int calls, int connections, String postgres)
      throws Exception {
    Path folder = Files.createTempDirectory("octroi-settlement");
    try (ChainShop shop = new ChainShop();
        Running gateway =
            shop.jar(folder)
                .set("gateway.chain.wait-until", way.until())
                .set("gateway.chain.batch-size", Integer.toString(way.batch()))
                .set("gateway.limits.requests-per-minute.cryptodata", "1000000")
                .set("gateway.limits.unpaid-per-minute", "1000000")
                .set("gateway.limits.in-flight-per-payer", "1000")
                .set("gateway.database.url", postgres.replace("/postgres", "/" + way.database()))
                .set("gateway.database.user", "postgres")
                .start()) {
      URI base = gateway.awaitReady();
      Offer offer = Offer.read(base);
      List<Wallet> payers = new ArrayList<>();
      for (int i = 0; i < PAYERS; i++) {
        payers.add(shop.payer());
      }
      shop.anvil.call("evm_setBlockGasLimit", "0x" + Long.toHexString(BLOCK_GAS));
      shop.anvil.call("evm_setAutomine", false);
      shop.anvil.call("evm_setIntervalMining", 1);
      run(base, sales(offer, payers, calls / 10), connections);
      List<Sale> sales = sales(offer, payers, calls);
      long before = transactions(shop);
      long start = System.nanoTime();
      int paid = run(base, sales, connections);
      double seconds = (System.nanoTime() - start) / 1e9;
      shop.anvil.call("evm_mine");
      long sent = transactions(shop) - before;
      System.out.printf(
          "| %s | %d | %,.0f/s | %,d transactions | %.1f payments in each |%n",
          way.name(), connections, paid / seconds, sent, (double) paid / Math.max(1, sent));
      if (paid != calls) {
        System.out.printf("ONLY %d of %d calls were answered%n", paid, calls);
      }
    }
  }

  private static long transactions(ChainShop shop) {
    return Long.decode(
        shop.anvil.call("eth_getTransactionCount", ChainShop.relayer(), "latest").asText());
  }

  private static List<Sale> sales(Offer offer, List<Wallet> payers, int count) {
    List<Sale> sales = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sales.add(offer.accept(payers.get(i % payers.size())));
    }
    return sales;
  }

  private static int run(URI base, List<Sale> sales, int connections) throws Exception {
    AtomicInteger next = new AtomicInteger();
    Callable<Integer> client = () -> pay(base, sales, next);
    ExecutorService threads = Executors.newFixedThreadPool(connections);
    try {
      List<Callable<Integer>> clients = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        clients.add(client);
      }
      int paid = 0;
      for (Future<Integer> each : threads.invokeAll(clients)) {
        paid += each.get();
      }
      return paid;
    } finally {
      threads.shutdown();
    }
  }

  private static int pay(URI base, List<Sale> sales, AtomicInteger next)
      throws IOException, InterruptedException {
    int paid = 0;
    for (int i = next.getAndIncrement(); i < sales.size(); i = next.getAndIncrement()) {
      int status = sales.get(i).send(base).statusCode();
      if (status == 200) {
        paid++;
      } else {
        System.out.println("a call was answered with " + status);
      }
    }
    return paid;
  }
}
