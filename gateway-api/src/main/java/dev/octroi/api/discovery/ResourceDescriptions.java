package dev.octroi.api.discovery;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.octroi.api.catalogue.Catalogue;
import dev.octroi.api.catalogue.Operation;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.price.SoldRow;
import dev.octroi.api.settings.DiscoverySettings;
import dev.octroi.payments.Description;
import dev.octroi.payments.Descriptions;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What challenges say of what is sold; each written once. Thread-safe. */
public final class ResourceDescriptions implements Descriptions {

  /** Like everything of the protocol: a body in ASCII. */
  private static final JsonMapper JSON =
      new JsonMapper(JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build());

  private final Catalogue catalogue;
  private final PriceBook prices;
  private final DiscoverySettings settings;
  private final Map<SoldRow, Description> written = new ConcurrentHashMap<>();

  public ResourceDescriptions(Catalogue catalogue, PriceBook prices, DiscoverySettings settings) {
    this.catalogue = catalogue;
    this.prices = prices;
    this.settings = settings;
  }

  @Override
  public Description of(String method, String path) {
    return prices
        .sold(method, path)
        .map(row -> written.computeIfAbsent(row, this::describe))
        .orElse(Description.NONE);
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
        settings.bazaar() ? Bazaar.member(raw(operation)) : Map.of());
  }

  private static RawValue raw(Operation operation) {
    try {
      return new RawValue(JSON.writeValueAsString(Bazaar.of(operation)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
