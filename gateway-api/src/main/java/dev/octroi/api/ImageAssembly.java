package dev.octroi.api;

import dev.octroi.api.image.ImageBackgroundService;
import dev.octroi.api.settings.ImageSettings;
import dev.octroi.api.settings.Secret;
import dev.octroi.api.settings.WebSettings;
import dev.octroi.services.HostThreads;
import dev.octroi.services.images.GivenPicture;
import dev.octroi.services.images.ImageCatalogue;
import dev.octroi.services.images.ImageRequests;
import dev.octroi.services.images.VendorImages;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamHost;
import dev.octroi.services.upstream.UpstreamSettings;
import dev.octroi.services.web.FetchLimits;
import dev.octroi.services.web.PageFetcher;
import dev.octroi.services.web.Wanted;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The image models, composed from the settings; owns the connections to their upstreams. */
record ImageAssembly(ImageBackgroundService.Sources sources, Map<String, UpstreamClient> upstreams)
    implements AutoCloseable {

  static ImageAssembly of(ImageSettings settings, WebSettings web, UpstreamHost host) {
    Map<String, UpstreamClient> upstreams = new HashMap<>();
    settings
        .upstreams()
        .forEach((name, address) -> upstreams.put(name, client(settings, name, address, host)));
    ImageRequests requests = new ImageRequests(settings.models(), upstreams.keySet());
    return new ImageAssembly(
        new ImageBackgroundService.Sources(
            new VendorImages(upstreams), requests, fetcher(web, host.threads())),
        upstreams);
  }

  /** What is wrong with the settings, one sentence each. */
  static List<String> problems(ImageSettings settings) {
    List<String> problems = new ArrayList<>();
    try {
      ImageCatalogue catalogue = settings.models();
      for (String name : settings.upstreams().keySet()) {
        if (!catalogue.upstreams().contains(name)) {
          problems.add(
              "gateway.images.upstreams."
                  + name
                  + ": the catalogue has no model there; it names "
                  + String.join(", ", catalogue.upstreams()));
        }
      }
    } catch (IllegalArgumentException invalid) {
      problems.add("gateway.images.catalogue: " + invalid.getMessage());
    }
    return problems;
  }

  private static UpstreamClient client(
      ImageSettings settings, String name, URI address, UpstreamHost host) {
    Duration longest =
        settings.deadline().compareTo(settings.editDeadline()) > 0
            ? settings.deadline()
            : settings.editDeadline();
    return new UpstreamClient(
        UpstreamSettings.of("images-" + name, address)
            .with(credential(settings, name))
            .withDeadline(longest)
            .withMaxBodyBytes((int) settings.answer().bytes())
            .withMaxConnections(settings.atOnce() + settings.editsAtOnce())
            .withRetries(0),
        host);
  }

  private static Credential credential(ImageSettings settings, String name) {
    return Optional.ofNullable(settings.credentials().get(name))
        .map(Secret::value)
        .filter(secret -> !secret.isEmpty())
        .map(Credential::bearer)
        .orElseGet(Credential::none);
  }

  /** Pictures are fetched as pages are, from the public web and from nowhere else. */
  private static PageFetcher fetcher(WebSettings web, HostThreads threads) {
    FetchLimits limits =
        new FetchLimits(web.deadline(), GivenPicture.MAX_BYTES, web.redirects(), web.atOnce());
    return new PageFetcher(limits, Set.copyOf(web.ports()), Wanted.PICTURE, threads);
  }

  @Override
  public void close() {
    upstreams.values().forEach(UpstreamClient::close);
    sources.web().close();
  }
}
