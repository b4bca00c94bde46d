package dev.octroi.api.asset;

import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * One page of a bucket's objects.
 *
 * @param next what the next page is asked for by
 */
record S3Listing(List<Entry> entries, Optional<String> next) {

  /** An object. */
  record Entry(String key, Instant modified) {}

  /** The query of the page after a token, sorted as the signature wants it. */
  static String query(String prefix, String token) {
    return (token.isEmpty() ? "" : "continuation-token=" + encoded(token) + "&")
        + "list-type=2&prefix="
        + encoded(prefix);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  static S3Listing read(InputStream body) throws XMLStreamException {
    XMLInputFactory factory = XMLInputFactory.newFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    XMLStreamReader xml = factory.createXMLStreamReader(body);
    List<Entry> entries = new ArrayList<>();
    Optional<String> next = Optional.empty();
    String key = "";
    while (xml.hasNext()) {
      if (xml.next() == XMLStreamConstants.START_ELEMENT) {
        switch (xml.getLocalName()) {
          case "Key" -> key = xml.getElementText();
          case "LastModified" -> entries.add(new Entry(key, Instant.parse(xml.getElementText())));
          case "NextContinuationToken" -> next = Optional.of(xml.getElementText());
          default -> {
            // Nothing that matters here.
          }
        }
      }
    }
    return new S3Listing(List.copyOf(entries), next);
  }
}
