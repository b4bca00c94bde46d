package dev.octroi.api.websearch;

import dev.octroi.api.group.GroupContext;
import dev.octroi.api.settings.WebSettings;
import dev.octroi.services.web.FetchLimits;
import dev.octroi.services.web.PageFetcher;
import java.util.Set;

/** The pages of the public web that the gateway fetches itself, for several groups. */
public final class WebPages {

  private WebPages() {}

  /** What fetches them, opened by whichever group asks first. */
  public static PageFetcher fetcher(WebSettings web, GroupContext context) {
    return context.once(
        PageFetcher.class,
        () ->
            new PageFetcher(
                new FetchLimits(web.deadline(), web.page().length(), web.redirects(), web.atOnce()),
                Set.copyOf(web.ports()),
                context.threads()));
  }
}
