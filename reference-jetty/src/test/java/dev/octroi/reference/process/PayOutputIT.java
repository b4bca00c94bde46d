package dev.octroi.reference.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.reference.process.ForeignSeller.Answer;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That what {@code pay} has paid for is never lost, and what it says of the money. */
class PayOutputIT {

  private static final String PAID =
      "{\"success\":true,\"transaction\":\"sandbox:1\",\"network\":\"eip155:8453\","
          + "\"payer\":\"0x857b06519E91e3A54538791bDbb0E22373e36b66\"}";

  private static final String REFUSED =
      "{\"success\":false,\"transaction\":\"\",\"network\":\"eip155:8453\","
          + "\"errorReason\":\"insufficient_funds\"}";

  private static final String BODY = "{\"answer\":42}";
  private static final Answer GOOD = new Answer(200, PAID, BODY);

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "'',folder",
    "missing/answer.json,it does not exist",
    "answer.json/below,Not a directory"
  })
  void whatCannotBeOpenedIsNotPaidFor(String name, String why) throws Exception {
    Files.createFile(folder.resolve("answer.json"));
    try (ForeignSeller seller = seller("/good", GOOD);
        Running pay = pay("-o", folder.resolve(name).toString(), seller.url("/good"))) {
      assertThat(pay.awaitExit()).as(pay::said).isEqualTo(1);
      assertThat(pay.errText())
          .contains("Nothing was asked or paid", why)
          .doesNotContain("quote", "\tat ");
      assertThat(seller.payments()).isZero();
    }
  }

  @Test
  void theReceiptIsALineOfJsonWhereThatIsWanted() throws Exception {
    try (ForeignSeller seller = seller("/good", GOOD);
        Running pay = pay("--json", seller.url("/good"))) {
      assertThat(pay.awaitExit()).as(pay::said).isZero();
      assertThat(pay.outText()).isEqualTo(BODY);
      String line =
          pay.errText().lines().filter(one -> one.startsWith("{")).findFirst().orElseThrow();
      JsonNode receipt = new ObjectMapper().readTree(line);
      assertThat(receipt.path("transaction").asText()).isEqualTo("sandbox:1");
      assertThat(receipt.path("payer").asText()).startsWith("0x857b");
      assertThat(receipt.path("network").asText()).isEqualTo("eip155:8453");
      assertThat(receipt.has("price")).isTrue();
      assertThat(pay.errText()).doesNotContain("paid ");
    }
  }

  @Test
  void aFolderThatTakesNoFileIsFoundOutBeforePaying() throws Exception {
    try (Mounted mounted = Mounted.with("ro", folder.resolve("out"));
        ForeignSeller seller = seller("/good", GOOD);
        Running pay = pay("-o", mounted.folder().resolve("a").toString(), seller.url("/good"))) {
      assertThat(pay.awaitExit()).as(pay::said).isEqualTo(1);
      assertThat(pay.errText()).contains("Nothing was asked or paid");
      assertThat(seller.payments()).isZero();
    }
  }

  @Test
  void whatStoodInTheFileIsReplacedByAnAnswerAndByNothingElse() throws Exception {
    Path file = folder.resolve("answer.json");
    Path link = folder.resolve("link.json");
    Files.writeString(file, "what was there", UTF_8);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    Files.createSymbolicLink(link, file);
    try (ForeignSeller seller =
        new ForeignSeller(
            true, Map.of("/good", GOOD, "/bad", new Answer(400, "", "{\"error\":\"no\"}")))) {
      try (Running pay = pay("-o", link.toString(), seller.url("/bad"))) {
        assertThat(pay.awaitExit()).as(pay::said).isEqualTo(3);
        assertThat(pay.outText()).contains("\"no\"");
      }
      assertThat(file).hasContent("what was there");
      try (Running pay = pay("-o", link.toString(), seller.url("/good"))) {
        assertThat(pay.awaitExit()).as(pay::said).isZero();
        assertThat(pay.outText()).isEmpty();
      }
    }
    assertThat(file).hasContent(BODY);
    assertThat(link).isSymbolicLink();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r-----");
    assertThat(names()).containsExactlyInAnyOrder("answer.json", "link.json");
  }

  @Test
  void anAnswerWhosePictureCannotBeFetchedIsKeptBesideTheFile() throws Exception {
    String lost = "{\"data\":[{\"url\":\"http://127.0.0.1:1/gone.png\"}]}";
    Path file = folder.resolve("toll.png");
    Files.writeString(folder.resolve("toll.png.answer"), "an earlier one", UTF_8);
    try (ForeignSeller seller = seller("/lost", new Answer(200, PAID, lost));
        Running pay = pay("-o", file.toString(), seller.url("/lost"))) {
      assertThat(pay.awaitExit()).as(pay::said).isEqualTo(1);
      assertThat(pay.errText()).contains("paid ", "toll.png.answer-2").doesNotContain("\tat ");
      assertThat(seller.payments()).isEqualTo(1);
    }
    assertThat(folder.resolve("toll.png.answer-2")).hasContent(lost);
    assertThat(names()).containsExactlyInAnyOrder("toll.png.answer", "toll.png.answer-2");
  }

  @Test
  void anAnswerForWhichTheDiskHasNoRoomIsOnStandardOutput() throws Exception {
    try (ForeignSeller seller = seller("/good", GOOD);
        Running pay = pay("-o", "/dev/full", seller.url("/good"))) {
      assertThat(pay.awaitExit()).as(pay::said).isEqualTo(1);
      assertThat(pay.errText()).contains("paid ", "No space left");
      assertThat(pay.outText()).isEqualTo(BODY);
    }
    try (Mounted mounted = Mounted.with("size=64k", folder.resolve("small"))) {
      Path file = mounted.folder().resolve("answer.json");
      String large = "{\"answer\":\"" + "4".repeat(200_000) + "\"}";
      try (ForeignSeller seller = seller("/large", new Answer(200, PAID, large));
          Running pay = pay("-o", file.toString(), seller.url("/large"))) {
        assertThat(pay.awaitExit()).as(pay::said).isEqualTo(1);
        assertThat(pay.outText()).isEqualTo(large);
      }
      assertThat(file).doesNotExist();
      try (Stream<Path> left = Files.list(mounted.folder())) {
        assertThat(left).isEmpty();
      }
    }
  }

  @Test
  void anAnswerThatStandardOutputDoesNotTakeIsKeptInAFile() throws Exception {
    try (ForeignSeller seller = seller("/good", GOOD)) {
      String command =
          String.join(" ", BuiltJar.quickIn(folder, "pay", seller.url("/good")).command());
      try (Running pay =
          Running.start(List.of("sh", "-c", command + " > /dev/full"), Map.of(), folder)) {
        assertThat(pay.awaitExit()).as(pay::said).isEqualTo(1);
        assertThat(pay.errText()).contains("paid ", "octroi-pay.answer");
      }
    }
    assertThat(folder.resolve("octroi-pay.answer")).hasContent(BODY);
  }

  @Test
  void aPipeAndStandardOutputTakeAnAnswerToo() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    try (ForeignSeller seller = seller("/good", GOOD)) {
      CompletableFuture<String> read = CompletableFuture.supplyAsync(() -> all(pipe));
      try (Running pay = pay("-o", pipe.toString(), seller.url("/good"))) {
        assertThat(pay.awaitExit()).as(pay::said).isZero();
        assertThat(read.get()).isEqualTo(BODY);
      }
      for (String name : List.of("-", "/dev/stdout")) {
        try (Running pay = pay("-o", name, seller.url("/good"))) {
          assertThat(pay.awaitExit()).as(pay::said).isZero();
          assertThat(pay.outText()).isEqualTo(BODY);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "400,'',3,nothing was charged",
    "404,'',3,nothing was charged",
    "402,REFUSED,5,nothing was charged",
    "502,REFUSED,3,nothing was charged",
    "502,'',6,not known",
    "503,'',6,not known",
    "409,'',6,not known",
    "502,NOT_CHARGED,3,nothing was charged",
    "502,PAID,1,although the call was paid for"
  })
  void whatBecameOfTheMoneyIsToldByTheReceipt(int status, String receipt, int exit, String words)
      throws Exception {
    String given = Map.of("PAID", PAID, "REFUSED", REFUSED).getOrDefault(receipt, "");
    Answer answer = new Answer(status, given, "{\"error\":\"no\"}", receipt.equals("NOT_CHARGED"));
    try (ForeignSeller seller = seller("/call", answer);
        Running pay = pay(seller.url("/call"))) {
      assertThat(pay.awaitExit()).as(pay::said).isEqualTo(exit);
      assertThat(pay.errText()).contains("status   " + status, words);
      assertThat(pay.errText().contains("payment  PAYMENT-SIGNATURE: ")).isEqualTo(exit == 6);
    }
  }

  @Test
  void aSellerWhoseChallengeNamesNoSandboxTakesRealMoney() throws Exception {
    try (ForeignSeller seller = new ForeignSeller(false, Map.of("/good", GOOD));
        Running pay = pay(seller.url("/good"))) {
      assertThat(pay.awaitExit()).as(pay::said).isEqualTo(2);
      assertThat(pay.errText()).contains("real money", "--key-file");
      assertThat(seller.payments()).isZero();
    }
  }

  private static ForeignSeller seller(String path, Answer answer) throws Exception {
    return new ForeignSeller(true, Map.of(path, answer));
  }

  private Running pay(String... arguments) throws Exception {
    return BuiltJar.quickIn(folder, "pay").and(arguments).start();
  }

  private List<String> names() throws Exception {
    try (Stream<Path> names = Files.list(folder)) {
      return names.map(name -> name.getFileName().toString()).toList();
    }
  }

  private static String all(Path pipe) {
    try (InputStream in = Files.newInputStream(pipe)) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }
}
