package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.client.Wallet;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A database whose connections die without a sign, as behind a firewall that forgets them: the node
 * gives them up after their deadline and goes on with new ones.
 */
@Tag("slow")
class SilentDatabaseIT {

  private static final int OK = 200;
  private static final Duration RECOVERY = Duration.ofMinutes(5);

  @TempDir private Path data;

  @Test
  void aNodeOutlivesConnectionsThatFallSilent() throws Exception {
    try (SharedPostgres database = SharedPostgres.start();
        SilentLink link = new SilentLink(URI.create(database.address()).getPort())) {
      BuiltJar jar =
          database
              .under(BuiltJar.in(data, "--port", "0", "--data", data.toString()))
              .set("gateway.database.url", link.address(database.jdbcUrl()));
      try (GatewayNode node = GatewayNode.start(jar).awaitReady()) {
        assertThat(send(sales(node, 1), node)).containsExactly(OK);
        // More than there are connections that write.
        List<Sale> others = sales(node, 6);

        link.silence();
        assertThat(send(others, node)).isSubsetOf(429, 503);
        link.speak();

        List<Sale> unpaid = new ArrayList<>(others);
        await()
            .atMost(RECOVERY)
            .pollInterval(Duration.ofSeconds(2))
            .until(
                () -> {
                  List<Integer> answers = send(unpaid, node);
                  unpaid.removeIf(sale -> answers.remove(0) == OK);
                  return unpaid.isEmpty();
                });
        try (LedgerTables tables = database.tables()) {
          for (Sale sale : others) {
            assertThat(tables.payment(sale).orElseThrow().debits()).isEqualTo(1);
          }
        }
      }
    }
  }

  private static List<Sale> sales(GatewayNode node, int most) throws Exception {
    Offer offer = Offer.query(node.base());
    return Stream.generate(() -> offer.accept(Wallet.generate())).limit(most).toList();
  }

  /** Sends all at once; the result is the status of each. */
  private static List<Integer> send(List<Sale> sales, GatewayNode node) {
    return sales.stream().map(sale -> sale.sendAsync(node.base())).toList().stream()
        .map(answer -> answer.join().statusCode())
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /** Carries bytes to a port of this machine; a connection that fell silent stays so. */
  private static final class SilentLink implements AutoCloseable {

    private final int target;
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Pair> pairs = new CopyOnWriteArrayList<>();
    private volatile boolean isSilent;

    SilentLink(int target) throws IOException {
      this.target = target;
      start(this::accept);
    }

    String address(String url) {
      return url.replace(":" + target + "/", ":" + server.getLocalPort() + "/");
    }

    void silence() {
      isSilent = true;
      pairs.forEach(pair -> pair.isSilent = true);
    }

    void speak() {
      isSilent = false;
    }

    private void accept() {
      try {
        while (true) {
          Socket near = server.accept();
          Pair pair = new Pair(near, new Socket(InetAddress.getLoopbackAddress(), target));
          pair.isSilent = isSilent;
          pairs.add(pair);
          start(() -> pair.carry(pair.near, pair.far));
          start(() -> pair.carry(pair.far, pair.near));
        }
      } catch (IOException e) {
        // The test is over.
      }
    }

    private static void start(Runnable work) {
      Thread thread = new Thread(work, "silent-link");
      thread.setDaemon(true);
      thread.start();
    }

    @Override
    public void close() throws IOException {
      server.close();
      pairs.forEach(Pair::close);
    }

    private static final class Pair {

      private final Socket near;
      private final Socket far;
      private volatile boolean isSilent;

      Pair(Socket near, Socket far) {
        this.near = near;
        this.far = far;
      }

      void carry(Socket from, Socket to) {
        byte[] bytes = new byte[8192];
        try {
          InputStream in = from.getInputStream();
          OutputStream out = to.getOutputStream();
          for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
            if (!isSilent) {
              out.write(bytes, 0, read);
            }
          }
        } catch (IOException e) {
          // One side is gone.
        }
        if (!isSilent) {
          close();
        }
      }

      void close() {
        try {
          near.close();
          far.close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }
}
