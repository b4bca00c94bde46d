package dev.octroi.services.websearch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.Deadline;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.WireServer;
import dev.octroi.services.websearch.SearchQuery.SearchTerms;
import dev.octroi.services.websearch.WebSearch.FoundPage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VendorWebSearchTest {

  @Test
  void foundPagesComeWithTheirTexts() throws IOException {
    String said =
        "{\"results\":[{\"title\":\"A\",\"url\":\"https://a.example/\",\"publishedDate\":\"2026\","
            + "\"text\":\"t\"},{\"title\":null,\"url\":\"https://b.example/\"},{\"title\":\"C\"}]}";
    try (WireServer server = WireServer.saying(said);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      WebSearch search = new VendorWebSearch(client, true, List.of());
      assertThat(
              search.find(
                  SearchQuery.withTexts(new SearchTerms("q"), 5, 1_000),
                  Deadline.in(Duration.ofSeconds(20))))
          .containsExactly(
              new FoundPage("A", "https://a.example/", Optional.of("2026"), Optional.of("t")),
              new FoundPage("", "https://b.example/", Optional.empty(), Optional.empty()));
      assertThat(server.requests().get(0).body())
          .isEqualTo(
              "{\"query\":\"q\",\"numResults\":5,\"contents\":{\"text\":{\"maxCharacters\":1000}}}");
    }
  }
}
