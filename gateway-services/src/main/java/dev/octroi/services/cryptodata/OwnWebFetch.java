package dev.octroi.services.cryptodata;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.ParameterRules;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.Reads;
import dev.octroi.services.read.Reads.CacheFigures;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.web.PageFetcher;
import dev.octroi.services.web.PageFetcher.Fetched;
import dev.octroi.services.web.PageReader;
import dev.octroi.services.web.PageReader.ReadablePage;
import dev.octroi.services.web.WebAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Serves {@code /web/fetch} without the vendor, in the vendor's form; every other read is the
 * vendor's. A page that cannot be fetched is 400 {@code invalid_params}, as with the vendor.
 * Thread-safe.
 */
public final class OwnWebFetch implements Reads {

  private final Reads others;
  private final PageFetcher pages;

  public OwnWebFetch(Reads others, PageFetcher pages) {
    this.others = others;
    this.pages = pages;
  }

  @Override
  public Answer read(
      Read row, Map<String, String> path, Map<String, List<String>> query, Deadline deadline) {
    if (row != CryptoDataRead.WEB_FETCH) {
      return others.read(row, path, query, deadline);
    }
    Arguments arguments = ParameterRules.check(row, path, query);
    WebAddress address =
        WebAddress.of(arguments.value("url").orElse("")).orElseThrow(OwnWebFetch::noAddress);
    Fetched fetched = pages.fetch(address, deadline);
    if (fetched instanceof Fetched.Refused refused) {
      throw Failure.invalid("url cannot be fetched: " + refused.reason().text());
    }
    ReadablePage page =
        PageReader.read(
            (Fetched.Page) fetched,
            given(arguments, "target_selector"),
            given(arguments, "remove_selector"));
    if (page.markdown().isBlank()) {
      throw VendorErrors.wordless();
    }
    return answer(page);
  }

  @Override
  public CacheFigures cacheFigures() {
    return others.cacheFigures();
  }

  /** Of the parameters that only the vendor lists. */
  private static Optional<String> given(Arguments arguments, String name) {
    return arguments.unlisted().getOrDefault(name, List.of()).stream().findFirst();
  }

  private static Failure noAddress() {
    return Failure.invalid("url is an http or https address");
  }

  private static Answer answer(ReadablePage page) {
    ObjectNode envelope = UpstreamJson.record();
    envelope
        .putObject("data")
        .put("content", page.markdown())
        .put("title", page.title())
        .put("url", page.url().toString());
    envelope.putObject("meta").put("cached", false).put("credits_used", 0).put("empty_reason", "");
    return Answer.json(200, UpstreamJson.bytes(envelope));
  }
}
