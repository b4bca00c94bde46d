package dev.octroi.services.web;

import dev.octroi.services.web.PageFetcher.FetchLimits;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.ssl.SSLContexts;

/** A web for tests: every name is a server on the loopback address. */
public final class LoopbackWeb {

  private LoopbackWeb() {}

  /** Fetches from one port. */
  public static PageFetcher on(int port) {
    return on(port, SSLContexts.createSystemDefault());
  }

  static PageFetcher on(int port, SSLContext trust) {
    Guard guard =
        new Guard(
            Set.of(port),
            host -> List.of(InetAddress.getByName("127.0.0.1")),
            InetAddress::isLoopbackAddress);
    FetchLimits limits = new FetchLimits(Duration.ofSeconds(20), 1 << 20, 3, 8);
    return new PageFetcher(limits, guard, () -> trust);
  }
}
