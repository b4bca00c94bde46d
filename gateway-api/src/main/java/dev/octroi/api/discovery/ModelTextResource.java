package dev.octroi.api.discovery;

import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.asset.BaseAddress.Linking;
import dev.octroi.api.catalogue.Operation;
import dev.octroi.api.discovery.DiscoveryResource.DiscoveryServices;
import dev.octroi.api.discovery.Storefront.PricedOperation;
import dev.octroi.api.group.Group;
import dev.octroi.api.limit.CountedCalls.Counted;
import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What language models read of a site: what is sold, at which prices, and how it is paid. */
@Path("/llms.txt")
@Counted
public class ModelTextResource {

  private final DiscoveryServices services;

  public ModelTextResource(@Context Providers providers) {
    services = DiscoveryServices.of(providers);
  }

  @GET
  @Linking
  @Free
  @Produces("text/plain;charset=utf-8")
  public Response text(@HeaderParam(BaseAddress.HEADER) String base) {
    services.requireOpen();
    return DiscoveryServices.uncached(
        ModelText.of(services, base).getBytes(StandardCharsets.UTF_8));
  }

  /** Writes the text for language models, in Markdown. */
  static final class ModelText {

    private static final String HEAD =
        """
      # %1$s

      > A pay-per-call gateway: each call is paid by itself with x402 (a stablecoin on chain), and \
      needs no account. Prices are US dollars per call.
      %2$s
      How to pay:

      1. Call without payment. The answer is 402, its header PAYMENT-REQUIRED (base64 of JSON) says \
      what to pay, to whom and on which networks.
      2. Sign the exact amount for one of the offers, with an x402 client such as @x402/fetch, and \
      send the same request again with the header PAYMENT-SIGNATURE.
      3. The answer carries PAYMENT-RESPONSE with the transaction, and its price. A call that fails \
      is not charged.

      With an API key (Authorization: Bearer sk-...) calls need no signature. Everything is JSON; \
      errors say what is wrong.

      - [Addresses for machines](%3$s/.well-known/x402)
      - [Listing with the input of every call](%3$s/discovery/resources): pages by limit and offset
      """;

    private static final String SANDBOX =
        "\nThis is a sandbox: its money is worthless and its data is made up.\n";

    private ModelText() {}

    static String of(DiscoveryServices services, String base) {
      String sandbox = services.sandbox() ? SANDBOX : "";
      StringBuilder text =
          new StringBuilder(HEAD.formatted(services.settings().serviceName(), sandbox, base));
      Map<Group, List<PricedOperation>> groups =
          Storefront.byGroup(services.storefront().listings());
      groups
          .keySet()
          .forEach(
              group ->
                  group
                      .freePaths()
                      .forEach(
                          (path, what) ->
                              text.append("- [%s](%s%s): free\n".formatted(what, base, path))));
      groups.forEach(
          (group, listings) -> {
            text.append("\n## ").append(group.title()).append("\n\n");
            listings.forEach(listing -> line(text, listing, base));
          });
      return text.toString();
    }

    private static void line(StringBuilder text, PricedOperation listing, String base) {
      Operation operation = listing.operation();
      text.append("- [").append(operation.row().method()).append(' ');
      text.append(operation.row().path()).append("](").append(listing.address(base)).append("): ");
      text.append(operation.about()).append(" Price ");
      text.append(listing.isFixed() ? "" : "by request, the example ");
      text.append(listing.price().dollars());
      String arguments = arguments(operation);
      if (!arguments.isEmpty()) {
        text.append("; takes ").append(arguments);
      }
      if (!listing.isFixed()) {
        text.append("; example `").append(operation.example()).append('`');
      }
      text.append('\n');
    }

    /** The names, those that must be given with an asterisk. */
    private static String arguments(Operation operation) {
      List<String> required =
          operation.input().path("required").valueStream().map(name -> name.textValue()).toList();
      return operation
          .input()
          .path("properties")
          .propertyStream()
          .map(property -> property.getKey() + (required.contains(property.getKey()) ? "*" : ""))
          .collect(Collectors.joining(", "));
    }
  }
}
