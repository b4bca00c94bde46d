package dev.octroi.services.websearch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.web.PageFetcher;
import dev.octroi.services.web.PageFetcher.Fetched;
import dev.octroi.services.web.PageReader;
import dev.octroi.services.web.PageReader.ReadablePage;
import dev.octroi.services.web.WebAddress;
import java.util.List;
import java.util.Optional;

/** Contents that the gateway fetches itself, where there is no search vendor. Thread-safe. */
public final class FetchedContents implements PageContents {

  private final PageFetcher pages;

  public FetchedContents(PageFetcher pages) {
    this.pages = pages;
  }

  @Override
  public Answer contents(List<String> urls, Deadline deadline) {
    List<String> ids = urls.stream().distinct().toList();
    List<WebAddress> addresses = ids.stream().flatMap(id -> WebAddress.of(id).stream()).toList();
    Texts texts = new Texts();
    List<Optional<ReadablePage>> read = pages.fetchAll(addresses, deadline, texts::read);
    ObjectNode envelope = UpstreamJson.record();
    ArrayNode results = envelope.putArray("results");
    for (int at = 0; at < read.size(); at++) {
      String id = ids.get(at);
      read.get(at).ifPresent(page -> add(results, id, page));
    }
    if (results.isEmpty()) {
      throw VendorErrors.unreachable();
    }
    return Answer.json(200, UpstreamJson.bytes(envelope));
  }

  private static void add(ArrayNode results, String id, ReadablePage page) {
    ObjectNode result = results.addObject();
    result.put("id", id).put("url", page.url().toString());
    put(result, "title", Optional.of(page.title()).filter(title -> !title.isEmpty()));
    result.put("text", page.markdown());
    put(result, "publishedDate", page.published());
  }

  private static void put(ObjectNode result, String member, Optional<String> value) {
    value.ifPresentOrElse(text -> result.put(member, text), () -> result.putNull(member));
  }

  /** The texts that an answer has room for: a hundred long pages would be more than memory has. */
  private static final class Texts {

    /** Characters of all pages. */
    private static final int ALL = 8 << 20;

    private int left = ALL;

    /** A page that is there, says something and has room. */
    Optional<ReadablePage> read(Fetched fetched) {
      if (left == 0 || !(fetched instanceof Fetched.Page found)) {
        return Optional.empty();
      }
      ReadablePage page = PageReader.read(found);
      boolean fits = page.markdown().length() <= left;
      left = fits ? left - page.markdown().length() : 0;
      return Optional.of(page).filter(it -> fits && !it.markdown().isBlank());
    }
  }
}
