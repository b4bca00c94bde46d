package dev.octroi.api;

import dev.octroi.api.group.Group;
import dev.octroi.api.phone.PhoneBackgroundService;
import dev.octroi.api.phone.PhoneVendors;
import dev.octroi.api.price.ListPrices;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.price.RowPrice;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.VendorSettings;
import dev.octroi.api.settings.VendorSettings.RecordForm;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.payments.Usd;
import dev.octroi.services.phone.Lookups;
import dev.octroi.services.phone.VendorAccount;
import dev.octroi.services.phone.VendorLookups;
import dev.octroi.services.phone.VendorMessages;
import dev.octroi.services.phone.VendorNumbers;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamHost;
import dev.octroi.services.upstream.VenueWords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The phone group, composed from the settings; owns the connections to its vendors.
 *
 * @param clients by the word of the setting that says where
 */
record PhoneAssembly(PhoneVendors vendors, Map<String, UpstreamClient> clients)
    implements AutoCloseable {

  private static final String RENEWAL = Group.PHONE.base() + "/numbers/renew";

  static PhoneAssembly of(GatewaySettings settings, UpstreamHost host) {
    VendorSettings lookup = settings.upstream().lookup();
    VendorSettings phone = settings.upstream().phone();
    Optional<UpstreamClient> forLookups = client(lookup, host);
    Optional<VendorAccount> account =
        client(phone, host).map(client -> new VendorAccount(client, name(phone)));
    boolean stated = lookup.records() == RecordForm.MAPPED;
    PhoneVendors vendors =
        new PhoneVendors(
            forLookups.<Lookups>map(client -> new VendorLookups(client, stated)),
            account.map(VendorNumbers::new),
            account.filter(any -> settings.phone().sms()).map(VendorMessages::new),
            phone.deadline());
    Map<String, UpstreamClient> clients = new LinkedHashMap<>();
    forLookups.ifPresent(client -> clients.put("lookup", client));
    account.map(VendorAccount::client).ifPresent(client -> clients.put("phone", client));
    return new PhoneAssembly(vendors, clients);
  }

  /** Its part that outlives requests. */
  PhoneBackgroundService open(GatewaySettings settings, PriceBook prices, JobContext context) {
    return PhoneBackgroundService.open(
        vendors,
        settings.phone(),
        new BodyReader(settings.limits().jsonDepth()),
        () -> renewal(prices),
        context);
  }

  /**
   * An account's lease is renewed at the price without an API key, whatever its keys are charged.
   */
  private static Usd renewal(PriceBook prices) {
    return prices
        .explain("POST", RENEWAL, Optional.empty())
        .map(RowPrice::now)
        .flatMap(RowPrice.Step::price)
        .orElseGet(() -> Usd.parse(ListPrices.NUMBER_RENEW));
  }

  /** What is wrong with the settings, one sentence each. */
  static List<String> problems(GatewaySettings settings) {
    List<String> problems = new ArrayList<>();
    if (isIncomplete(settings.upstream().lookup())) {
      problems.add("gateway.upstream.lookup.credential has the form account:secret");
    }
    if (isIncomplete(settings.upstream().phone())) {
      problems.add("gateway.upstream.phone.credential has the form account:secret");
    }
    return problems;
  }

  /** Without a credential the vendor's part is simply not sold: the live profile has none. */
  private static boolean isIncomplete(VendorSettings vendor) {
    String credential = vendor.credential().value();
    return !credential.isEmpty() && !credential.matches("[A-Za-z0-9]+:.+");
  }

  private static Optional<UpstreamClient> client(VendorSettings vendor, UpstreamHost host) {
    return vendor.credential().value().isEmpty() || vendor.baseAddress().isEmpty()
        ? Optional.empty()
        : Optional.of(
            Services.client(
                Group.PHONE,
                vendor,
                VenueWords.none(),
                pair -> Credential.basic(name(vendor), pair.substring(name(vendor).length() + 1)),
                host));
  }

  private static String name(VendorSettings vendor) {
    return vendor.credential().value().split(":", 2)[0];
  }

  @Override
  public void close() {
    clients.values().forEach(UpstreamClient::close);
  }
}
