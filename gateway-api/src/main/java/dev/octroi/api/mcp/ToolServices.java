package dev.octroi.api.mcp;

import dev.octroi.api.discovery.Storefront;
import dev.octroi.api.discovery.Storefront.PricedOperation;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.http.InnerCalls;
import dev.octroi.api.http.PageRule;
import dev.octroi.api.settings.GatewaySettings.ToolSettings;
import dev.octroi.payments.Usd;
import dev.octroi.payments.body.BodyMemory;
import jakarta.ws.rs.ext.Providers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the resource of tools works with; made when the first call comes. Thread-safe. */
public final class ToolServices implements AutoCloseable {

  /** What serves it. */
  public static final List<Class<?>> RESOURCES = List.of(ToolResource.class);

  private static final int SHARE_OF_HEAP = 8;

  private final Storefront storefront;
  private final Terms terms;
  private final ToolCalls calls;

  /**
   * A caller that asks for tools has not paid; the calls that come of it have memory of their own.
   */
  private final BodyMemory memory = BodyMemory.ofHeap(SHARE_OF_HEAP);

  private volatile @Nullable Toolbox latest;

  /**
   * What tools are served by.
   *
   * @param longest how long a call may take
   * @param mostBytes the longest answer
   * @param pages which web pages may call
   */
  public record Terms(
      String serviceName,
      ToolSettings settings,
      InnerCalls identity,
      Duration longest,
      int mostBytes,
      PageRule pages) {}

  public ToolServices(Storefront storefront, Terms terms) {
    this.storefront = storefront;
    this.terms = terms;
    this.calls = new ToolCalls(terms);
  }

  /** The services that are mounted in an application. */
  static ToolServices of(Providers providers) {
    return Mounted.of(providers, ToolServices.class);
  }

  boolean isOpen() {
    return terms.settings().enabled();
  }

  BodyMemory memory() {
    return memory;
  }

  PageRule pages() {
    return terms.pages();
  }

  /** The tools at the prices of this moment. */
  Toolbox tools() {
    List<PricedOperation> listings = storefront.listings();
    Map<String, Usd> prices = Toolbox.prices(listings);
    Toolbox known = latest;
    if (known != null && known.prices().equals(prices)) {
      return known;
    }
    Toolbox made = Toolbox.of(terms.serviceName(), listings, calls);
    latest = made;
    return made;
  }

  /** Tools to call: what they cost is said by the gate, so that older ones do. */
  Toolbox toolsToCall() {
    Toolbox known = latest;
    return known == null ? tools() : known;
  }

  /** Lets no call wait for a job any more. */
  @Override
  public void close() {
    calls.close();
  }
}
