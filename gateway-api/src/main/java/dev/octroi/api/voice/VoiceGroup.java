package dev.octroi.api.voice;

import dev.octroi.api.group.BuiltInGroup;
import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.Group.ErrorShape;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.Upstream;
import dev.octroi.api.house.Listing;
import dev.octroi.api.phone.PhoneGroup;
import dev.octroi.api.price.ListPrices;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.VendorSettings;
import dev.octroi.api.voice.CallsResource.CallList;
import dev.octroi.api.voice.VoiceResource.CallReadTariff;
import dev.octroi.api.voice.VoiceResource.CallTariff;
import dev.octroi.api.voice.VoiceResource.TransferTariff;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.VenueWords;
import dev.octroi.services.voice.VendorCalls;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Voice: calls that one vendor places, from numbers that the phone group leases. */
public final class VoiceGroup extends BuiltInGroup {

  static final String WORD = "voice";
  static final String BASE = "/v1/marketplace/voice";
  static final String CALLS = BASE + "/call";

  /** How long the vendor may take to list a call that it has placed. */
  private static final Duration LISTED = Duration.ofMinutes(1);

  public VoiceGroup() {
    super(
        new Profile(
            WORD,
            "Voice",
            "Outbound calls that an assistant speaks, from leased numbers, with transcripts.",
            ErrorShape.NESTED,
            List.of(BASE),
            List.of(
                ErrorCode.INVALID_PHONE_NUMBER,
                ErrorCode.NUMBER_NOT_OWNED,
                ErrorCode.CALL_NOT_FOUND,
                ErrorCode.CALL_NOT_ACTIVE,
                ErrorCode.CALL_FAILED)),
        VoiceResource.class,
        VoiceWebhookResource.class,
        CallsResource.class);
  }

  @Override
  public ConfiguredGroup configured(GatewaySettings settings, Clock clock) {
    return new Configured(this, settings);
  }

  private record Configured(Group group, GatewaySettings settings) implements ConfiguredGroup {

    @Override
    public List<SoldRow> rows() {
      return List.of(
          SoldRow.postAtLeast(group, "/call", ListPrices.CALL),
          SoldRow.postAtLeast(group, "/call/transfer", ListPrices.CALL_TRANSFER),
          SoldRow.post(group, "/call/end", ListPrices.CALL_END),
          new SoldRow(
              "GET",
              CALLS + "/{id}",
              group,
              Optional.of(settings.prices().callRecord()),
              false,
              Optional.empty()));
    }

    @Override
    public List<Upstream> upstreams() {
      return vendor().stream().toList();
    }

    private Optional<Upstream> vendor() {
      return Upstream.vendor(
          WORD, WORD, settings.upstream().voice(), VenueWords.none(), Configured::bareKey);
    }

    /** The vendor wants its key without the word of a scheme. */
    private static Credential bareKey(String secret) {
      return Credential.header("authorization", secret);
    }

    @Override
    public List<String> missing() {
      List<String> missing = new ArrayList<>();
      if (settings.upstream().voice().baseAddress().isEmpty()) {
        missing.add(Upstream.missing(WORD));
      }
      if (settings.upstream().phone().baseAddress().isEmpty()) {
        missing.add(Upstream.missing("phone"));
      }
      if (missing.isEmpty() && !isCalledFromLeasedNumbers()) {
        missing.add(
            "gateway.voice.encrypted-key is not set: the vendor calls from leased numbers only with"
                + " its key for their carrier");
      }
      return missing;
    }

    private boolean isCalledFromLeasedNumbers() {
      return !settings.voice().encryptedKey().value().isEmpty();
    }

    /** Payers whose calls were placed already need the rest; placing one says what is missing. */
    @Override
    public boolean serves(String path) {
      return hasVendors();
    }

    private boolean hasVendors() {
      return settings.upstream().voice().baseAddress().isPresent()
          && settings.upstream().phone().baseAddress().isPresent();
    }

    @Override
    public boolean lists(SoldRow row) {
      return missing().isEmpty();
    }

    @Override
    public OpenGroup open(GroupContext context) {
      CallList placed = new CallList(context.given(Listing.class));
      CallTariff placing =
          new CallTariff(isCalledFromLeasedNumbers(), settings.voice(), context.bodies());
      TransferTariff handing = new TransferTariff(settings.voice(), context.bodies());
      Optional<Upstream> vendor = vendor().filter(any -> hasVendors());
      if (vendor.isEmpty()) {
        return OpenGroup.of(VoiceComponents.closed(), placed)
            .with(reading(VoiceComponents.closed()), placing, handing);
      }
      VoiceComponents components =
          VoiceComponents.open(
              new VendorCalls(
                  context.client(vendor.get()), settings.voice().encryptedKey().value()),
              terms(context),
              PhoneGroup.numbers(context),
              context);
      return OpenGroup.of(components, placed)
          .with(reading(components), placing, handing)
          .withTasks(components.tasks());
    }

    private CallReadTariff reading(VoiceComponents components) {
      return new CallReadTariff(
          settings.prices().callRecord(),
          id -> components.open().flatMap(service -> service.payer(id)));
    }

    private VoiceTerms terms(GroupContext context) {
      VendorSettings voice = settings.upstream().voice();
      Optional<URI> webhook =
          settings
              .http()
              .ownAddress()
              .filter(base -> !settings.voice().webhookSecret().value().isEmpty())
              .map(base -> URI.create(withoutSlash(base.toString()) + VoiceTerms.WEBHOOK_PATH));
      return new VoiceTerms(
          settings.voice(),
          voice.deadline(),
          context.longestCall().plus(voice.deadline()).plus(LISTED),
          webhook);
    }

    private static String withoutSlash(String address) {
      return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
    }
  }
}
