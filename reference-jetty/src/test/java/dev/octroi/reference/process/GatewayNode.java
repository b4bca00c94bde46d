package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicReference;

/** A gateway process under its name among others; the next one of that name may live elsewhere. */
final class GatewayNode implements AutoCloseable {

  private final BuiltJar jar;
  private final AtomicReference<URI> base = new AtomicReference<>();
  private Running running;

  private GatewayNode(BuiltJar jar, Running running) {
    this.jar = jar;
    this.running = running;
  }

  /** Begins to start one; it serves after {@link #awaitReady}. */
  static GatewayNode start(BuiltJar jar) throws IOException {
    return new GatewayNode(jar, jar.start());
  }

  GatewayNode awaitReady() {
    base.set(running.awaitReady());
    return this;
  }

  URI base() {
    return base.get();
  }

  Running running() {
    return running;
  }

  Operator operator() {
    return new Operator(base(), jar.folder());
  }

  /** SIGTERM, and its end in good order. */
  void stop() throws InterruptedException {
    running.terminate();
    assertThat(running.awaitExit()).isZero();
  }

  /** SIGKILL, and the next one of its name. */
  void killAndRestart() throws Exception {
    running.kill();
    running = jar.start();
    awaitReady();
  }

  void restart() throws Exception {
    stop();
    running = jar.start();
    awaitReady();
  }

  @Override
  public void close() {
    running.close();
  }
}
