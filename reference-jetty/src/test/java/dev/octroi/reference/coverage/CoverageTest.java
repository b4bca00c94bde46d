package dev.octroi.reference.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CoverageTest {

  private static final Sources SOURCES = Sources.ofTheProject();
  private static final Path PAGE = SOURCES.root().resolve("gateway-api/docs/coverage.md");

  private static final Path WHOLE = SOURCES.root().resolve("reference-jetty/target/coverage.md");

  private final List<Cell> cells = Cells.all();
  private final List<Evidence> evidence =
      Stream.concat(TagScan.of(SOURCES).stream(), KitChecks.of(SOURCES).stream()).toList();

  CoverageTest() throws IOException {}

  @Test
  void everyCellStandsOnce() {
    assertThat(cells).extracting(Cell::id).doesNotHaveDuplicates();
  }

  @Test
  void everyTagNamesACell() {
    assertThat(evidence).hasSizeGreaterThan(100);
    assertThat(evidence)
        .filteredOn(each -> cells.stream().noneMatch(cell -> cell.isShownBy(each.tag())))
        .isEmpty();
  }

  @Test
  void thePageOfCoverageIsTrue() throws IOException {
    CoveragePage page = new CoveragePage(cells, evidence);
    Files.createDirectories(WHOLE.getParent());
    Files.writeString(WHOLE, page.whole());
    Sources.assertWritten(PAGE, page.summary());
  }

  @Test
  void aTagOfOneFieldShowsNoOther() {
    Cell bid = new Cell("record.exchange_ticker.bid", "Crypto data", "`bid`");
    assertThat(bid.isShownBy("record.exchange_ticker")).isTrue();
    assertThat(bid.isShownBy("record.exchange_ticker.ask")).isFalse();
    assertThat(
            new Cell("endpoint.crypto.web_fetch", "Crypto data", "").isShownBy("endpoint.crypto"))
        .isFalse();
  }
}
