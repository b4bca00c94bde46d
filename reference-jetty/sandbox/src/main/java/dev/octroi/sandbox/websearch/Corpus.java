package dev.octroi.sandbox.websearch;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** All that there is to find. Immutable. */
record Corpus(List<Page> pages) {

  private static final String RESOURCE = "corpus.jsonl";

  static Corpus load() {
    try (InputStream in =
            Objects.requireNonNull(Corpus.class.getResourceAsStream(RESOURCE), RESOURCE);
        MappingIterator<Page> lines =
            JsonMapper.builder().build().readerFor(Page.class).readValues(in)) {
      return new Corpus(List.copyOf(lines.readAll()));
    } catch (IOException e) {
      throw new UncheckedIOException("the resource " + RESOURCE + " cannot be read", e);
    }
  }

  /** The page at an address, with or without a slash at its end. */
  Optional<Page> at(String url) {
    String wanted = trimmed(url);
    return pages.stream().filter(page -> trimmed(page.url()).equals(wanted)).findFirst();
  }

  private static String trimmed(String url) {
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }
}
