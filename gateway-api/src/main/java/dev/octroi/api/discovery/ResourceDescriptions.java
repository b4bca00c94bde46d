package dev.octroi.api.discovery;

import dev.octroi.api.catalogue.Catalogue;
import dev.octroi.api.catalogue.Operation;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.settings.GatewaySettings.DiscoverySettings;
import dev.octroi.payments.x402.Descriptions;
import dev.octroi.payments.x402.Descriptions.Description;
import dev.octroi.payments.x402.Extensions;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What challenges say of what is sold; each written once. Thread-safe. */
public final class ResourceDescriptions implements Descriptions {

  private final Catalogue catalogue;
  private final PriceBook prices;
  private final DiscoverySettings settings;
  private volatile Written latest = new Written(List.of(), Map.of());

  /** What is written of the rows of a time, by their words. */
  private record Written(List<SoldRow> rows, Map<String, Description> byWord) {}

  public ResourceDescriptions(Catalogue catalogue, PriceBook prices, DiscoverySettings settings) {
    this.catalogue = catalogue;
    this.prices = prices;
    this.settings = settings;
  }

  @Override
  public Description of(String method, String path) {
    return prices
        .sold(method, path)
        .map(row -> written().computeIfAbsent(row.word(), word -> describe(row)))
        .orElse(Description.NONE);
  }

  /** The same list of rows is the same time. */
  private Map<String, Description> written() {
    List<SoldRow> rows = prices.sold();
    Written known = latest;
    if (known.rows() != rows) {
      known = new Written(rows, new ConcurrentHashMap<>());
      latest = known;
    }
    return known.byWord();
  }

  private Description describe(SoldRow row) {
    return catalogue.of(row).map(this::description).orElse(Description.NONE);
  }

  private Description description(Operation operation) {
    return new Description(
        operation.about(),
        MediaType.APPLICATION_JSON,
        settings.serviceName(),
        List.of(operation.row().group().word()),
        settings.bazaar() ? Extensions.of(Bazaar.member(Bazaar.of(operation))) : Extensions.NONE);
  }
}
