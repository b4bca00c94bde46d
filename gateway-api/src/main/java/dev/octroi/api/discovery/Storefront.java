package dev.octroi.api.discovery;

import dev.octroi.api.catalogue.Catalogue;
import dev.octroi.api.catalogue.Operation;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.SoldRow.Described;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.price.PriceBook.RowPrice;
import dev.octroi.payments.Metering;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.payments.x402.OfferedPrice;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.services.Failure;
import jakarta.ws.rs.WebApplicationException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What can be bought here at this moment, and for how much. Thread-safe. */
public final class Storefront {

  private final Catalogue catalogue;
  private final Selling selling;
  private final Instant opened;
  private final Map<String, Optional<OfferedPrice>> counted = new ConcurrentHashMap<>();

  /**
   * By what things are sold.
   *
   * @param open whether there is somebody to answer a row's calls
   * @param tariff computes the price of a row that has no listed one, by its class
   * @param accepts the ways to pay a price above zero; empty if no facilitator settles
   */
  public record Selling(
      PriceBook prices,
      Predicate<SoldRow> open,
      Function<Class<? extends Tariff>, Optional<Tariff>> tariff,
      Function<OfferedPrice, List<PaymentRequirements>> accepts) {}

  /**
   * Opens it.
   *
   * @param opened since when things are sold as they are now
   */
  public Storefront(Catalogue catalogue, Selling selling, Instant opened) {
    this.catalogue = catalogue;
    this.selling = selling;
    this.opened = opened;
  }

  /** Everything that can be bought now, in the price book's order. */
  public List<PricedOperation> listings() {
    return catalogue.operations().stream()
        .filter(operation -> selling.open().test(operation.row()))
        .flatMap(operation -> listing(operation).stream())
        .toList();
  }

  /** Operations by group, in the order in which the groups begin. */
  static Map<Group, List<PricedOperation>> byGroup(List<PricedOperation> sold) {
    return sold.stream()
        .collect(
            Collectors.groupingBy(
                listing -> listing.operation().row().group(),
                LinkedHashMap::new,
                Collectors.toList()));
  }

  /** The operation that a request for a canonical path buys; empty where nothing is sold. */
  Optional<Operation> operation(String method, String path) {
    return selling.prices().sold(method, path).flatMap(catalogue::of);
  }

  private Optional<PricedOperation> listing(Operation operation) {
    return offered(operation)
        .filter(offered -> !offered.amount().isZero())
        .map(
            offered ->
                new PricedOperation(
                    operation,
                    offered.amount(),
                    selling.accepts().apply(offered),
                    since(operation)))
        .filter(listing -> !listing.accepts().isEmpty());
  }

  /** What a call costs now; empty where not even the example can be bought. */
  public Optional<Usd> price(Operation operation) {
    return offered(operation).map(OfferedPrice::amount);
  }

  private Optional<OfferedPrice> offered(Operation operation) {
    SoldRow row = operation.row();
    boolean metered = row.described().filter(Described::metered).isPresent();
    return row.list()
        .map(list -> new OfferedPrice(list, metered))
        .or(() -> counted.computeIfAbsent(operation.name(), name -> sample(operation)))
        .map(
            list ->
                new OfferedPrice(
                    selling
                        .prices()
                        .quote(new SampleCall(operation), list.amount(), Optional.empty())
                        .price(),
                    list.isCeiling()));
  }

  private Optional<OfferedPrice> sample(Operation operation) {
    SampleCall call = new SampleCall(operation);
    try {
      return operation
          .tariff()
          .flatMap(selling.tariff())
          .map(tariff -> tariff.price(call))
          .map(price -> new OfferedPrice(price, call.isMetered));
    } catch (WebApplicationException | Failure notSold) {
      return Optional.empty();
    }
  }

  private Instant since(Operation operation) {
    SoldRow row = operation.row();
    return selling
        .prices()
        .explain(row.method(), row.path(), Optional.empty())
        .map(RowPrice::now)
        .flatMap(RowPrice.Step::from)
        .filter(opened::isBefore)
        .orElse(opened);
  }

  /** The example of an operation, as if it were called. */
  private static final class SampleCall implements PricedRequest {

    private final Operation operation;
    private boolean isMetered;

    SampleCall(Operation operation) {
      this.operation = operation;
    }

    @Override
    public String method() {
      return operation.row().method();
    }

    @Override
    public String path() {
      return operation.row().path();
    }

    @Override
    public Map<String, List<String>> pathParameters() {
      return Map.of();
    }

    @Override
    public Map<String, List<String>> queryParameters() {
      return Map.of();
    }

    @Override
    public byte[] body() {
      return operation.example().toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void metered(Metering how) {
      isMetered = true;
    }
  }

  /**
   * An operation that can be bought now.
   *
   * @param price what it costs; where that depends on the request, what its example costs
   * @param accepts the ways to pay that; never empty
   * @param since when something about it changed last
   */
  public record PricedOperation(
      Operation operation, Usd price, List<PaymentRequirements> accepts, Instant since) {

    public PricedOperation {
      accepts = List.copyOf(accepts);
    }

    /** Whether every call costs the same. */
    public boolean isFixed() {
      return operation.row().isFixed();
    }

    /** The absolute address, parameters in the path marked by colons. */
    String address(String base) {
      return operation.row().group().address(base) + operation.routeTemplate();
    }

    boolean isPaidTo(String recipient) {
      return accepts.stream().anyMatch(offer -> offer.payTo().equalsIgnoreCase(recipient));
    }

    boolean isPaidBy(String scheme) {
      return accepts.stream().anyMatch(offer -> offer.scheme().equals(scheme));
    }

    boolean isPaidOn(String network) {
      return accepts.stream().anyMatch(offer -> offer.network().equals(network));
    }
  }
}
