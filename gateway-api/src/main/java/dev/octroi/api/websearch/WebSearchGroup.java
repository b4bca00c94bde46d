package dev.octroi.api.websearch;

import dev.octroi.api.group.BuiltInGroup;
import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.Group.ErrorShape;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.Upstream;
import dev.octroi.api.price.ListPrices;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.VendorSettings;
import dev.octroi.api.settings.VendorSettings.RecordForm;
import dev.octroi.api.settings.WebSettings;
import dev.octroi.api.websearch.WebSearchResource.WebSearchService;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.upstream.VenueWords;
import dev.octroi.services.web.PageFetcher;
import dev.octroi.services.web.PageFetcher.FetchLimits;
import dev.octroi.services.websearch.FetchedContents;
import dev.octroi.services.websearch.PageContents;
import dev.octroi.services.websearch.SearchQuery.Category;
import dev.octroi.services.websearch.VendorWebSearch;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Web search: what one vendor finds. Without the vendor the contents of pages alone are sold. */
public final class WebSearchGroup extends BuiltInGroup {

  static final String WORD = "websearch";
  static final String BASE = "/v1/marketplace/websearch";

  public WebSearchGroup() {
    super(
        new Profile(
            WORD,
            "Web search",
            "Search, contents of pages, answers with sources, passages.",
            ErrorShape.NESTED,
            List.of(BASE),
            List.of(
                ErrorCode.QUERY_TOO_LONG,
                ErrorCode.INVALID_URL,
                ErrorCode.NOT_FOUND,
                ErrorCode.URL_UNREACHABLE)),
        WebSearchResource.class);
  }

  @Override
  public ConfiguredGroup configured(GatewaySettings settings, Clock clock) {
    return new Configured(this, settings);
  }

  /** As the vendor's clients call it. */
  @Override
  public Map<String, String> otherPaths() {
    return Map.of(BASE + "/findSimilar", BASE + "/find-similar");
  }

  /** The search vendor, opened by whichever group asks first; empty without an address. */
  public static Optional<VendorWebSearch> vendor(GatewaySettings settings, GroupContext context) {
    VendorSettings vendor = settings.upstream().websearch();
    return upstream(vendor)
        .map(
            one ->
                context.once(
                    VendorWebSearch.class,
                    () ->
                        new VendorWebSearch(
                            context.client(one),
                            vendor.records() == RecordForm.MAPPED,
                            settings.websearch().beyondContract())));
  }

  private static Optional<Upstream> upstream(VendorSettings vendor) {
    return Upstream.vendor(WORD, WORD, vendor, VenueWords.none(), Upstream::keyHeader);
  }

  private record Configured(Group group, GatewaySettings settings) implements ConfiguredGroup {

    private static final String SIMILAR = BASE + "/find-similar";
    private static final String CONTENTS = BASE + "/contents";

    @Override
    public List<SoldRow> rows() {
      return List.of(
          SoldRow.postAtLeast(group, "/search", ListPrices.SEARCH),
          SoldRow.postAtLeast(group, "/find-similar", ListPrices.FIND_SIMILAR),
          SoldRow.postAtLeast(group, "/contents", ListPrices.CONTENTS),
          SoldRow.post(group, "/answer", ListPrices.ANSWER),
          SoldRow.postAtLeast(group, "/highlights", ListPrices.HIGHLIGHTS));
    }

    @Override
    public List<Upstream> upstreams() {
      return upstream(settings.upstream().websearch()).stream().toList();
    }

    @Override
    public List<String> problems() {
      return settings.websearch().beyondContract().stream()
          .filter(word -> !Category.beyondContract().contains(word))
          .map(
              word ->
                  "gateway.websearch.beyond-contract: "
                      + word
                      + " is no category beyond the vendor's contract")
          .toList();
    }

    @Override
    public List<String> missing() {
      return hasVendor() ? List.of() : List.of(Upstream.missing(WORD));
    }

    private boolean hasVendor() {
      return settings.upstream().websearch().baseAddress().isPresent();
    }

    /** Contents of pages need no vendor; similar pages are served where they are switched on. */
    @Override
    public boolean serves(String path) {
      if (path.equals(CONTENTS)) {
        return true;
      }
      return hasVendor() && (settings.websearch().findSimilar() || !path.equals(SIMILAR));
    }

    @Override
    public OpenGroup open(GroupContext context) {
      Optional<VendorWebSearch> vendor = vendor(settings, context);
      PageContents contents =
          vendor
              .map(PageContents.class::cast)
              .orElseGet(() -> new FetchedContents(WebPages.fetcher(settings.web(), context)));
      return OpenGroup.of(
              new WebSearchService(
                  vendor,
                  contents,
                  settings.websearch().answerModel(),
                  settings.upstream().websearch().deadline(),
                  context.bodies(),
                  context.deadlines()))
          .with(
              new SearchTariff(settings.websearch().rates(), vendor.isPresent(), context.bodies()));
    }
  }

  /** The pages of the public web that the gateway fetches itself, for several groups. */
  public static final class WebPages {

    private WebPages() {}

    /** What fetches them, opened by whichever group asks first. */
    public static PageFetcher fetcher(WebSettings web, GroupContext context) {
      return context.once(
          PageFetcher.class,
          () ->
              new PageFetcher(
                  new FetchLimits(
                      web.deadline(), web.page().length(), web.redirects(), web.atOnce()),
                  Set.copyOf(web.ports()),
                  context.threads()));
    }
  }
}
