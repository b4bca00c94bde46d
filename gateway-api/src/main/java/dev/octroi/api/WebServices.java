package dev.octroi.api;

import dev.octroi.api.group.Group;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.VendorSettings;
import dev.octroi.api.settings.VendorSettings.RecordForm;
import dev.octroi.api.settings.WebSettings;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.services.HostThreads;
import dev.octroi.services.cryptodata.OwnWebFetch;
import dev.octroi.services.read.Reads;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamHost;
import dev.octroi.services.upstream.VenueWords;
import dev.octroi.services.web.FetchLimits;
import dev.octroi.services.web.PageFetcher;
import dev.octroi.services.websearch.FetchedContents;
import dev.octroi.services.websearch.PageContents;
import dev.octroi.services.websearch.VendorWebSearch;
import java.util.Optional;
import java.util.Set;

/**
 * What deals with the open web, composed from the settings.
 *
 * @param own whether the gateway itself fetches what {@code web/fetch} sells
 */
record WebServices(
    Optional<UpstreamClient> vendor, PageFetcher pages, boolean own, WebSearchGroup search)
    implements AutoCloseable {

  static WebServices of(GatewaySettings settings, CallDeadlines deadlines, UpstreamHost host) {
    VendorSettings forSearch = settings.upstream().websearch();
    Optional<UpstreamClient> client =
        forSearch
            .baseAddress()
            .map(
                address ->
                    Services.client(
                        Group.WEBSEARCH, forSearch, VenueWords.none(), Services::keyHeader, host));
    boolean mapped = forSearch.records() == RecordForm.MAPPED;
    Optional<VendorWebSearch> vendor = client.map(one -> new VendorWebSearch(one, mapped));
    PageFetcher pages = fetcher(settings.web(), host.threads());
    PageContents contents =
        vendor.map(PageContents.class::cast).orElseGet(() -> new FetchedContents(pages));
    WebSearchGroup group =
        new WebSearchGroup(
            vendor,
            contents,
            forSearch.deadline(),
            new BodyReader(settings.limits().jsonDepth()),
            deadlines);
    boolean own = settings.web().isOwn(settings.upstream().cryptodata().baseAddress().isPresent());
    return new WebServices(client, pages, own, group);
  }

  private static PageFetcher fetcher(WebSettings web, HostThreads threads) {
    return new PageFetcher(
        new FetchLimits(web.deadline(), web.page().length(), web.redirects(), web.atOnce()),
        Set.copyOf(web.ports()),
        threads);
  }

  /** The crypto-data reads, with {@code web/fetch} served by whom the settings name. */
  Reads fetching(Reads reads) {
    return own ? new OwnWebFetch(reads, pages) : reads;
  }

  @Override
  public void close() {
    vendor.ifPresent(UpstreamClient::close);
    pages.close();
  }
}
