package dev.octroi.api.operator;

import dev.octroi.payments.books.Earnings;
import dev.octroi.services.upstream.UpstreamClient;
import java.util.List;

/**
 * What the operator looks at to see how business goes; nothing of it changes anything.
 *
 * @param upstreams the connections of this node
 * @param node this node's name
 */
public record MonitoringServices(Earnings earnings, List<UpstreamClient> upstreams, String node) {

  public MonitoringServices {
    upstreams = List.copyOf(upstreams);
  }
}
