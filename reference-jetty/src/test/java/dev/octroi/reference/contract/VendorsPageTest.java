package dev.octroi.reference.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.reference.architecture.Sources;
import dev.octroi.sandbox.contract.Contract;
import dev.octroi.sandbox.cryptodata.CryptoDataVendor;
import dev.octroi.sandbox.prediction.PredictionVendor;
import dev.octroi.services.cryptodata.CryptoDataRead;
import dev.octroi.services.prediction.PredictionRead;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.ReadSource;
import dev.octroi.services.upstream.VenueWords;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page that says what each read is made of at its vendor. */
class VendorsPageTest {

  private static final Path PAGE =
      Sources.ofTheProject().root().resolve("gateway-services/docs/vendors.md");

  private static final VenueWords WORDS = FixedVendor.sandboxWords();

  private static final String HEAD =
      """
      # What is asked of the vendors

      Made from the rows and the vendors' contracts by a test; do not edit. Written anew by
      `mvn -pl reference-jetty -am -Dtest=VendorsPageTest -Dsurefire.failIfNoSpecifiedTests=false -Doctroi.write=true test`.

      Each read is **direct** (the vendor has it), **composed** (it is made, exactly, of what the vendor has), or **not offered** (501
      `not_offered` before a payment is asked for, unless `gateway.*.beyond-contract` lists it). *Calls* is how many requests of the vendor
      one call makes at most; together they are never dearer than its price. Venue words are neutral here; `gateway.venues` names the
      venues. No vendor was called from where this was made: the contracts are what the vendors publish, and a test
      (`ReadContractTest`) holds every row, with every variant of its parameters, to them.
      """;

  private static final String OTHERS =
      """
      ## The other groups

      | Group | Requests |
      |---|---|
      | crypto data, SQL and questions | `POST /onchain/sql`, `POST /onchain/query`, `GET /onchain/schema` |
      | prediction, identities | `POST /venue-a/wallet/identities` |
      | web search | `POST /search`, `POST /findSimilar`, `POST /contents`, `POST /answer` |
      | language | `POST /chat/completions`, `POST /messages`, `POST /responses`, as the upstream's protocol is |
      | images | `POST /images/generations`, `POST /images/edits` |
      | music | `POST /music_generation` |
      | phone | below the account's path: `GET AvailablePhoneNumbers/{country}/Local.json`, `GET`, `POST` and `DELETE IncomingPhoneNumbers`, `GET` and `POST Messages.json`; lookups: `GET PhoneNumbers/{number}` |
      | voice | `POST /v1/calls`, `GET /v1/calls/{id}`, `POST /v1/calls/{id}/stop`, `POST /v1/calls/active/transfer` |

      Their contracts are held by the sandbox, which refuses what they do not know.
      """;

  @Test
  void thePageOfTheVendorsIsTrue() throws IOException {
    Sources.assertWritten(PAGE, page());
  }

  @Test
  void everyReadIsOnThePage() {
    assertThat(CryptoDataRead.values().length + PredictionRead.values().length).isEqualTo(186);
    assertThat(page().lines().filter(line -> line.startsWith("| `GET /"))).hasSize(186);
  }

  private static String page() {
    return String.join(
        "\n",
        HEAD,
        table(
            "Crypto data",
            CryptoDataRead.values(),
            new CryptoDataVendor(Clock.systemUTC()).contract()),
        table(
            "Prediction",
            PredictionRead.values(),
            new PredictionVendor(Clock.systemUTC()).contract()),
        OTHERS);
  }

  private static String table(String title, Read[] rows, Contract contract) {
    Map<ReadSource.State, Long> counts =
        Arrays.stream(rows)
            .collect(Collectors.groupingBy(row -> row.source().state(), Collectors.counting()));
    Stream<String> head =
        Stream.of(
            "## " + title,
            "",
            counts.getOrDefault(ReadSource.State.DIRECT, 0L)
                + " direct, "
                + counts.getOrDefault(ReadSource.State.COMPOSED, 0L)
                + " composed, "
                + counts.getOrDefault(ReadSource.State.NOT_OFFERED, 0L)
                + " not offered. Sources: "
                + contract.publicOnly().sources().stream()
                    .map(source -> "*" + source.replaceFirst(": ", "*, "))
                    .collect(Collectors.joining("; "))
                + ".",
            "",
            "| Read | State | Request | Calls | Source | How, or why not |",
            "|---|---|---|---|---|---|");
    return Stream.concat(head, Arrays.stream(rows).map(row -> line(row, contract)))
            .collect(Collectors.joining("\n"))
        + "\n";
  }

  private static String line(Read row, Contract contract) {
    ReadSource source = row.source();
    List<String> paths = source.requests().stream().map(ReadSource.Request::path).toList();
    String state = source.state().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return source.isOffered()
        ? cells(
            "`GET " + row.path() + "`",
            state,
            source.requests().stream()
                .map(VendorsPageTest::request)
                .collect(Collectors.joining(", ")),
            Integer.toString(source.calls()),
            paths.stream()
                .map(path -> source(path, contract))
                .distinct()
                .collect(Collectors.joining(", ")),
            source.note())
        : cells("`GET " + row.path() + "`", state, "", "", "", source.note());
  }

  private static String source(String path, Contract contract) {
    String operation = contract.find("GET", WORDS.in(path)).orElseThrow();
    return contract.source(operation).replaceFirst(": .*", "");
  }

  private static String request(ReadSource.Request request) {
    String fixed =
        request.fixed().entrySet().stream()
            .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
            .collect(Collectors.joining("&"));
    return "`" + request.path() + (fixed.isEmpty() ? "" : "?" + fixed) + "`";
  }

  private static String cells(String... cells) {
    return ("| " + String.join(" | ", cells) + " |").replaceAll(" +", " ");
  }
}
