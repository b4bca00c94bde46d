package dev.octroi.sandbox.vendor;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The upstreams of a gateway that has no keys and no network: every vendor under a path of its own
 * on one loopback port. Thread-safe.
 */
public final class SandboxServer implements AutoCloseable {

  /** The header that labels every answer as invented. */
  public static final String LABEL = "X-Sandbox";

  private static final String LOOPBACK = "127.0.0.1";
  private static final int MAX_THREADS = 64;

  /** Longer than the longest magic delay and than the 30 s of a query. */
  private static final Duration IDLE = Duration.ofMinutes(10);

  private final Server server;
  private final ServerConnector connector;
  private final SandboxHandler handler;
  private final List<SandboxVendor> vendors;

  private SandboxServer(
      Server server,
      ServerConnector connector,
      SandboxHandler handler,
      List<SandboxVendor> vendors) {
    this.server = server;
    this.handler = handler;
    this.connector = connector;
    this.vendors = vendors;
  }

  /**
   * Starts the server.
   *
   * @param port 0 for any free one
   * @throws IllegalStateException if the port is taken
   */
  public static SandboxServer start(int port, List<? extends SandboxVendor> vendors) {
    return start(port, vendors, false);
  }

  /**
   * Starts the server.
   *
   * @param port 0 for any free one
   * @param publicOnly whether the vendors' public contracts hold alone, without what only the
   *     sandbox offers
   * @throws IllegalStateException if the port is taken
   */
  public static SandboxServer start(
      int port, List<? extends SandboxVendor> vendors, boolean publicOnly) {
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS);
    threads.setName("sandbox");
    threads.setDaemon(true);
    threads.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
    Server server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost(LOOPBACK);
    connector.setPort(port);
    connector.setIdleTimeout(IDLE.toMillis());
    server.addConnector(connector);
    Map<String, SandboxVendor> mounted =
        vendors.stream().collect(Collectors.toMap(SandboxVendor::mount, Function.identity()));
    SandboxHandler handler =
        new SandboxHandler(mounted, publicOnly, new ObjectMapper(), server.getScheduler());
    server.setHandler(handler);
    try {
      server.start();
    } catch (Exception failed) {
      throw new IllegalStateException("The sandbox cannot listen on port " + port, failed);
    }
    return new SandboxServer(server, connector, handler, List.copyOf(vendors));
  }

  public int port() {
    return connector.getLocalPort();
  }

  /** The base address of one vendor, without a trailing slash. */
  public URI baseAddress(String mount) {
    return URI.create("http://" + LOOPBACK + ":" + port() + "/" + mount);
  }

  /**
   * The last thousand requests that a vendor's contract refused, the oldest first: mount, kind,
   * operation and what is wrong.
   */
  public List<String> refusals() {
    return handler.refusals();
  }

  /** Stops listening, cuts what is under way and closes the vendors that hold something. */
  @Override
  public void close() {
    try {
      server.stop();
      for (SandboxVendor vendor : vendors) {
        if (vendor instanceof AutoCloseable held) {
          held.close();
        }
      }
    } catch (Exception failed) {
      throw new IllegalStateException("The sandbox did not stop cleanly", failed);
    }
  }
}
