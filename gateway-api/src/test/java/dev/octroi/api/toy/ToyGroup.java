package dev.octroi.api.toy;

import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.Group.ErrorShape;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.Upstream;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamSettings;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** A group of a host's own: everything that it is stands in its package. */
public final class ToyGroup implements Group {

  static final String BASE = "/v1/toys";

  private final Optional<URI> vendor;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param vendor who spins the tops; nothing is sold without
   */
  public ToyGroup(Optional<URI> vendor) {
    this.vendor = vendor;
  }

  /** What a resource of the group works with. */
  record Toys(UpstreamClient vendor) {}

  /** What a repair costs: by the length of its order. */
  static final class RepairTariff implements Tariff {

    @Override
    public Usd price(PricedRequest request) {
      return new Usd(1_000L * request.body().length);
    }
  }

  private static final Profile PROFILE =
      new Profile("toys", "Toys", "Tops that spin.", ErrorShape.NESTED, List.of(BASE), List.of());

  @Override
  public Profile profile() {
    return PROFILE;
  }

  @Override
  public List<Class<?>> resources() {
    return List.of(ToyResource.class);
  }

  public boolean isClosed() {
    return closed.get();
  }

  @Override
  public ConfiguredGroup configured(GatewaySettings settings, Clock clock) {
    return new Configured(this);
  }

  private record Configured(ToyGroup group) implements ConfiguredGroup {

    @Override
    public List<SoldRow> rows() {
      return List.of(
          SoldRow.post(group, "/spin", "0.002"), SoldRow.counted(group, BASE + "/repair"));
    }

    @Override
    public List<Upstream> upstreams() {
      return group.vendor.stream()
          .map(address -> Upstream.of("toys.vendor", UpstreamSettings.of("toys", address)))
          .toList();
    }

    @Override
    public List<String> missing() {
      return group.vendor.isPresent() ? List.of() : List.of("toys.vendor is not set");
    }

    @Override
    public OpenGroup open(GroupContext context) {
      if (group.vendor.isEmpty()) {
        return OpenGroup.of().with(new RepairTariff());
      }
      return OpenGroup.of(new Toys(context.client(upstreams().get(0))))
          .with(new RepairTariff())
          .withTasks(List.of(new RecurringTask("wind-toys-up", Duration.ofHours(1), () -> {})))
          .withClose(() -> group.closed.set(true));
    }
  }
}
