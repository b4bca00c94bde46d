package dev.octroi.reference.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.xml.sax.InputSource;

/** Files that one would copy from a page: that they can be read. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BlocksTest {

  /** Each is looked at: here, or by a test of its own. */
  private static final Set<String> LANGUAGES =
      Set.of("sh", "java", "mermaid", "json", "xml", "properties", "sql", "js", "");

  private static final Pattern DOCUMENT_TYPE = Pattern.compile("^<!DOCTYPE [^>]*>");

  private final List<Page> pages;

  BlocksTest() throws IOException {
    pages = Page.all(Sources.ofTheProject());
  }

  private List<Page.Block> in(String language) {
    return pages.stream().flatMap(page -> page.blocks(language).stream()).toList();
  }

  @Test
  void thereIsNoOtherKindOfBlock() {
    List<String> marked =
        pages.stream()
            .flatMap(page -> page.lines().stream())
            .filter(line -> line.startsWith("```"))
            .map(line -> line.substring(3).strip())
            .toList();
    assertThat(marked).hasSizeGreaterThan(50);
    assertThat(marked).filteredOn(language -> !LANGUAGES.contains(language)).isEmpty();
  }

  @Test
  void jsonCanBeRead() {
    ObjectMapper json = new ObjectMapper();
    assertThat(in("json")).isNotEmpty();
    for (Page.Block block : in("json")) {
      assertThatCode(() -> json.readTree(String.join("\n", block.lines())))
          .as(block.place())
          .doesNotThrowAnyException();
    }
  }

  /** A block may hold several elements, or a document's type before its one. */
  @Test
  void xmlIsWellFormed() throws Exception {
    DocumentBuilder xml = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder();
    xml.setErrorHandler(null);
    assertThat(in("xml")).isNotEmpty();
    for (Page.Block block : in("xml")) {
      String elements = DOCUMENT_TYPE.matcher(String.join("\n", block.lines())).replaceFirst("");
      String document = "<block>" + elements + "</block>";
      assertThatCode(() -> xml.parse(new InputSource(new StringReader(document))))
          .as(block.place())
          .doesNotThrowAnyException();
    }
  }
}
