package dev.octroi.api.mcp;

import dev.octroi.api.discovery.Storefront;
import dev.octroi.api.discovery.Storefront.PricedOperation;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.http.InnerCalls;
import dev.octroi.api.http.PageRule;
import dev.octroi.api.mcp.ToolCalls.Caller;
import dev.octroi.api.settings.GatewaySettings.ToolSettings;
import dev.octroi.payments.body.BodyMemory;
import dev.octroi.payments.flow.PaymentFlow;
import jakarta.ws.rs.ext.Providers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What the resource of tools works with; made when the first call comes. Thread-safe. */
public final class ToolServices implements AutoCloseable {

  /** What serves it. */
  public static final List<Class<?>> RESOURCES = List.of(ToolResource.class);

  private static final int SHARE_OF_HEAP = 8;

  private final Storefront storefront;
  private final Terms terms;
  private final ToolCalls calls;
  private final CatalogueTools catalogueTools;

  /**
   * A caller that asks for tools has not paid; the calls that come of it have memory of their own.
   */
  private final BodyMemory memory = BodyMemory.ofHeap(SHARE_OF_HEAP);

  private volatile @Nullable Toolboxes latest;

  /**
   * What tools are served by.
   *
   * @param longest how long a call may take
   * @param mostBytes the longest answer
   * @param flow has the memory for answers, and is told which have arrived
   * @param pages which web pages may call
   */
  public record Terms(
      String serviceName,
      ToolSettings settings,
      InnerCalls identity,
      Duration longest,
      int mostBytes,
      PageRule pages,
      PaymentFlow flow) {}

  public ToolServices(Storefront storefront, Terms terms) {
    this.storefront = storefront;
    this.terms = terms;
    this.calls = new ToolCalls(terms);
    this.catalogueTools = new CatalogueTools(storefront, calls);
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

  /** Says whether the caller has what its call was paid for. */
  void ended(Caller caller, boolean arrived) {
    terms.flow().passedOn(caller.name(), arrived);
    terms.flow().bodies().working().give(caller.memory().getAndSet(0));
  }

  PageRule pages() {
    return terms.pages();
  }

  /**
   * The tools at the prices of this moment; empty where there is no such group.
   *
   * @param group the group's word; {@code ""} for the tools of all
   */
  Optional<Toolbox> tools(String group) {
    return now().of(group);
  }

  /** A tool to call: what it costs is said by the gate, so that an older one does. */
  Optional<Toolbox> toolsToCall(String group, String tool) {
    Toolboxes known = latest;
    return Optional.ofNullable(known)
        .flatMap(boxes -> boxes.of(group))
        .filter(box -> box.callable().contains(tool))
        .or(() -> now().of(group));
  }

  private Toolboxes now() {
    List<PricedOperation> listings = storefront.listings();
    Toolboxes known = latest;
    if (known != null && known.isOf(listings)) {
      return known;
    }
    Toolboxes made = new Toolboxes(listings);
    latest = made;
    return made;
  }

  /** The tools of a time, by group; each is made when it is first asked for. */
  private final class Toolboxes {

    private final List<PricedOperation> listings;
    private final Map<String, Toolbox> made = new ConcurrentHashMap<>();

    Toolboxes(List<PricedOperation> listings) {
      this.listings = listings;
    }

    /** Whether the same operations are sold at the same prices. */
    boolean isOf(List<PricedOperation> now) {
      return told(now).equals(told(listings));
    }

    private static List<Object> told(List<PricedOperation> listings) {
      return listings.stream().<Object>map(one -> Map.entry(one.operation(), one.price())).toList();
    }

    Optional<Toolbox> of(String group) {
      if (group.isEmpty()) {
        return Optional.of(
            made.computeIfAbsent(
                group, all -> Toolbox.ofAll(terms.serviceName(), listings, calls, catalogueTools)));
      }
      List<PricedOperation> its =
          listings.stream()
              .filter(one -> one.operation().row().group().word().equals(group))
              .toList();
      return its.isEmpty()
          ? Optional.empty()
          : Optional.of(
              made.computeIfAbsent(
                  group, word -> Toolbox.ofGroup(terms.serviceName(), its, calls)));
    }
  }

  /** Lets no call wait for a job any more. */
  @Override
  public void close() {
    calls.close();
  }
}
