package dev.octroi.services.phone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.VendorRefusal;
import dev.octroi.services.phone.PhoneNumbers.Country;
import dev.octroi.services.phone.PhoneNumbers.LeasedNumber;
import dev.octroi.services.phone.PhoneNumbers.PurchaseOutcome;
import dev.octroi.services.phone.TextMessages.Sending;
import dev.octroi.services.phone.TextMessages.TextMessage;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.WireServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VendorNumbersTest {

  private static final PhoneNumber NUMBER = new PhoneNumber("+14159929960");
  private static final PhoneNumber OTHER = new PhoneNumber("+14155550123");
  private static final String BOUGHT =
      "{\"sid\":\"PN1\",\"phone_number\":\"+14159929960\",\"friendly_name\":\"octroi-1\"}";
  private static final TextMessage HELLO = new TextMessage(NUMBER, OTHER, "Hello & bye");

  private WireServer server;
  private UpstreamClient client;

  private VendorAccount account(WireServer.Script script) throws IOException {
    server = WireServer.start(script);
    client =
        new UpstreamClient(
            server
                .settings()
                .with(Credential.basic("AC1", "secret"))
                .withDeadline(Duration.ofSeconds(2)));
    return new VendorAccount(client, "AC1");
  }

  private VendorNumbers saying(int status, String json) throws IOException {
    return new VendorNumbers(account((request, wire) -> wire.json(status, json)), true);
  }

  private static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(20));
  }

  @AfterEach
  void stop() throws IOException {
    if (server != null) {
      client.close();
      server.close();
    }
  }

  @Test
  void numbersOfAnAreaAreListed() throws IOException {
    VendorNumbers numbers =
        saying(
            200,
            "{\"available_phone_numbers\":[{\"phone_number\":\"+14159929960\"},{\"x\":1}],"
                + "\"uri\":\"u\"}");
    assertThat(numbers.available(Country.US, Optional.of("415"), soon())).containsExactly(NUMBER);
    WireServer.Request asked = server.requests().get(0);
    assertThat(asked.target())
        .isEqualTo(
            "/base/Accounts/AC1/AvailablePhoneNumbers/US/Local.json?PageSize=20&VoiceEnabled=true"
                + "&ExcludeAllAddressRequired=true&SmsEnabled=true&AreaCode=415");
    assertThat(asked.headers()).containsEntry("Authorization", "Basic QUMxOnNlY3JldA==");
  }

  @Test
  void anAreaThatTheVendorDoesNotKnowHasNoNumbers() throws IOException {
    assertThat(
            saying(404, "{\"code\":20404,\"status\":404}")
                .available(Country.CA, Optional.empty(), soon()))
        .isEmpty();
  }

  @Test
  void theAnswerOfAServerOnTheWaySaysNothingOfAnArea() throws IOException {
    VendorNumbers numbers = saying(404, "{\"message\":\"no Route matched\"}");
    assertThatThrownBy(() -> numbers.available(Country.CA, Optional.empty(), soon()))
        .isInstanceOf(Failure.class);
  }

  @Test
  void aPurchaseCarriesItsName() throws IOException {
    assertThat(saying(201, BOUGHT).buy(NUMBER, "octroi-1", soon()))
        .isEqualTo(new PurchaseOutcome.Bought(new LeasedNumber("PN1", NUMBER)));
    assertThat(server.requests().get(0))
        .satisfies(
            asked -> {
              assertThat(asked.method()).isEqualTo("POST");
              assertThat(asked.target()).isEqualTo("/base/Accounts/AC1/IncomingPhoneNumbers.json");
              assertThat(asked.headers())
                  .containsEntry("Content-Type", "application/x-www-form-urlencoded");
              assertThat(asked.body())
                  .isEqualTo("PhoneNumber=%2B14159929960&FriendlyName=octroi-1");
            });
  }

  @ParameterizedTest
  @CsvSource({
    "400, 21422, Taken",
    "400, 21452, Taken",
    "400, 21613, Taken",
    "400, 21631, Taken",
    "400, 10002, Refused",
    "429, 20429, Refused",
    "401, 20003, Refused",
    "403, 20008, Refused",
    "408, 20408, Unknown",
    "409, 20409, Unknown",
    "499, 0, Unknown",
    "500, 20500, Unknown",
    "503, 20503, Unknown",
    "201, 1, Unknown"
  })
  void onlyACertainNoIsANo(int status, int code, String outcome) throws IOException {
    PurchaseOutcome purchase = saying(status, "{\"code\":" + code + "}").buy(NUMBER, "n", soon());
    assertThat(purchase.getClass().getSimpleName()).isEqualTo(outcome);
    assertThat(server.requests()).as("sent once").hasSize(1);
  }

  @Test
  void aPurchaseWithoutAnAnswerIsUnknown() throws IOException {
    CountDownLatch hungUp = new CountDownLatch(1);
    VendorNumbers numbers = new VendorNumbers(account((request, wire) -> wire.hang(hungUp)), true);
    assertThat(numbers.buy(NUMBER, "n", soon())).isInstanceOf(PurchaseOutcome.Unknown.class);
  }

  @Test
  void whatWasBoughtIsFoundByItsWholeName() throws IOException {
    VendorNumbers numbers =
        saying(
            200,
            "{\"incoming_phone_numbers\":["
                + BOUGHT
                + ",{\"sid\":\"PN2\",\"phone_number\":\"+14155550123\",\"friendly_name\":\"x\"}]}");
    assertThat(numbers.named("octroi-1", soon())).containsExactly(new LeasedNumber("PN1", NUMBER));
    assertThat(server.requests().get(0).target())
        .endsWith("/IncomingPhoneNumbers.json?FriendlyName=octroi-1&PageSize=20");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "204 | | true",
        "404 | {\"code\":20404,\"message\":\"The requested resource was not found\"} | true",
        "404 | {\"code\":20404.5} | false",
        "404 | {\"code\":\"20404\"} | false",
        "404 | {\"message\":\"no Route matched with those values\"} | false",
        "404 | <html>Not Found</html> | false",
        "404 | | false",
        "500 | {\"code\":20404} | false"
      })
  void whatIsNotOursAnyMoreHasBeenGivenBackIfTheVendorSaysSo(
      int status, String said, boolean released) throws IOException {
    byte[] body = said == null ? new byte[0] : said.getBytes(UTF_8);
    VendorNumbers numbers =
        new VendorNumbers(account((request, wire) -> wire.answer(status, "", body)), true);
    if (released) {
      numbers.release("PN1", soon());
    } else {
      assertThatThrownBy(() -> numbers.release("PN1", soon())).isInstanceOf(Failure.class);
    }
    assertThat(server.requests().get(0))
        .satisfies(
            asked ->
                assertThat(asked.method() + " " + asked.target())
                    .isEqualTo("DELETE /base/Accounts/AC1/IncomingPhoneNumbers/PN1.json"));
  }

  @ParameterizedTest
  @CsvSource({
    "400, 21211, NUMBER",
    "400, 21610, NUMBER",
    "400, 21614, NUMBER",
    "400, 21635, NUMBER",
    "400, 21606, ACCOUNT",
    "400, 21660, ACCOUNT",
    "400, 0, ACCOUNT",
    "401, 20003, ACCOUNT",
    "429, 20429, BUSY"
  })
  void aMessageThatIsRefusedSaysWhy(int status, int code, VendorRefusal why) throws IOException {
    VendorMessages messages =
        new VendorMessages(
            account((request, wire) -> wire.json(status, "{\"code\":" + code + "}")));
    assertThat(messages.send(HELLO, soon())).isEqualTo(new Sending.Refused(why));
    assertThat(server.requests()).hasSize(1);
  }

  /** GSM-7 has 160 places, or 153 in each of several parts; UCS-2 has 70, or 67. */
  @ParameterizedTest
  @CsvSource({
    "a, 160, '', 1",
    "a, 161, '', 2",
    "a, 306, '', 2",
    "a, 307, '', 3",
    "a, 1600, '', 11",
    "€, 80, '', 1",
    "€, 80, a, 2",
    "'[', 153, '', 3",
    "é, 160, '', 1",
    "ê, 70, '', 1",
    "ê, 71, '', 2",
    "a, 70, ж, 2",
    "ж, 134, '', 2",
    "ж, 135, '', 3",
    "😀, 35, '', 1",
    "😀, 36, '', 2",
    "😀, 66, '', 2",
    "😀, 67, '', 3",
    "ж, 1600, '', 24"
  })
  void aMessageIsSentInParts(String one, int times, String more, int parts) {
    assertThat(new TextMessage(NUMBER, OTHER, one.repeat(times) + more).parts()).isEqualTo(parts);
  }

  @Test
  void aMessageThatCannotBeSentAtAllIsRefused() throws IOException {
    VendorMessages messages = new VendorMessages(account((request, wire) -> wire.json(200, "{}")));
    server.close();
    assertThat(messages.send(HELLO, soon())).isEqualTo(new Sending.Refused(VendorRefusal.BUSY));
  }

  @ParameterizedTest
  @CsvSource({"201, Sent", "408, Unknown", "409, Unknown", "499, Unknown", "500, Unknown"})
  void aMessageIsSentOnce(int status, String outcome) throws IOException {
    VendorMessages messages =
        new VendorMessages(
            account(
                (request, wire) -> wire.json(status, "{\"sid\":\"SM1\",\"status\":\"queued\"}")));
    assertThat(messages.send(HELLO, soon()).getClass().getSimpleName()).isEqualTo(outcome);
    assertThat(server.requests())
        .extracting(WireServer.Request::body)
        .containsExactly("To=%2B14155550123&From=%2B14159929960&Body=Hello+%26+bye");
  }

  /**
   * The vendor says with 201 that it took a message, and in the message that it did not send it.
   */
  @ParameterizedTest
  @CsvSource({"failed, 21610, NUMBER", "failed, 30008, ACCOUNT", "canceled, 0, ACCOUNT"})
  void aMessageThatWasTakenAndNotSentIsRefused(String status, int code, VendorRefusal why)
      throws IOException {
    String message =
        "{\"sid\":\"SM1\",\"status\":\"%s\",\"error_code\":%d,\"body\":\"Hello & bye\",\"date_created\":\"Sat, 21 Nov 2026 10:00:00 +0000\"}"
            .formatted(status, code);
    VendorMessages messages =
        new VendorMessages(
            account(
                (request, wire) ->
                    wire.json(
                        request.method().equals("POST") ? 201 : 200,
                        request.method().equals("POST")
                            ? message
                            : "{\"messages\":[" + message + "]}")));
    assertThat(messages.send(HELLO, soon())).isEqualTo(new Sending.Refused(why));
    assertThat(messages.sent(HELLO, Instant.parse("2026-11-21T10:00:00Z"), soon())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-21T10:00:00.5Z, true",
    "2026-11-21T10:00:01Z, false",
    "2026-11-21T09:00:00Z, true"
  })
  void aMessageIsFoundByItsTextAndTime(Instant since, boolean found) throws IOException {
    VendorMessages messages =
        new VendorMessages(
            account(
                (request, wire) ->
                    wire.json(
                        200,
                        "{\"messages\":[{\"sid\":\"SM0\",\"body\":\"no\"},{\"sid\":\"SM1\","
                            + "\"body\":\"Hello & bye\",\"status\":\"sent\","
                            + "\"date_created\":\"Sat, 21 Nov 2026 10:00:00 +0000\"}]}")));
    assertThat(messages.sent(HELLO, since, soon()))
        .isEqualTo(found ? List.of(new Sending.Sent("SM1", "sent")) : List.of());
  }

  /** A vendor that does not look at the name lists the numbers of other payments first. */
  @Test
  void aNumberThatMayStandOnAPageBehindIsNotOutOfTheQuestion() throws IOException {
    String other =
        "{\"sid\":\"PN2\",\"friendly_name\":\"other\",\"phone_number\":\"+14155550100\"}";
    VendorNumbers numbers =
        new VendorNumbers(
            account(
                (request, wire) ->
                    wire.json(
                        200,
                        "{\"incoming_phone_numbers\":["
                            + String.join(",", Collections.nCopies(20, other))
                            + "]}")),
            true);
    assertThatThrownBy(() -> numbers.named("octroi-1", soon())).isInstanceOf(Failure.class);
  }

  /** The newest first, in pages whose addresses the vendor tells; they are asked at ours. */
  @ParameterizedTest
  @CsvSource({
    "2026-11-21T10:00:00Z, 3, SM1 SM2 SM3",
    "2026-11-21T10:00:02Z, 3, SM1 SM2",
    "2026-11-21T10:00:03Z, 2, SM1"
  })
  void messagesAreLookedForBackToTheirTime(Instant since, int pages, String found)
      throws IOException {
    VendorMessages messages =
        new VendorMessages(
            account(
                (request, wire) -> {
                  int page = server.requests().size();
                  String next =
                      "\"http://elsewhere.example/2010-04-01/Messages.json?Page=" + page + "\"";
                  wire.json(
                      200,
                      "{\"messages\":[{\"sid\":\"SM"
                          + page
                          + "\",\"body\":\"Hello & bye\",\"status\":\"sent\","
                          + "\"date_created\":\"Sat, 21 Nov 2026 10:00:0"
                          + (4 - page)
                          + " +0000\"}],\"next_page_uri\":"
                          + (page < 3 ? next : "null")
                          + "}");
                }));
    assertThat(messages.sent(HELLO, since, soon()))
        .extracting(Sending.Sent::reference)
        .containsExactly(found.split(" "));
    assertThat(server.requests()).hasSize(pages);
    assertThat(server.requests().get(1).target())
        .isEqualTo("/base/Accounts/AC1/Messages.json?Page=1");
  }

  @Test
  void aListThatNeverEndsIsNoProofThatThereIsNoMessage() throws IOException {
    VendorMessages messages =
        new VendorMessages(
            account(
                (request, wire) ->
                    wire.json(
                        200,
                        "{\"messages\":[{\"sid\":\"SM1\",\"body\":\"Hi\",\"date_created\":"
                            + "\"Sat, 21 Nov 2026 10:00:00 +0000\"}],"
                            + "\"next_page_uri\":\"/Messages.json?Page=1\"}")));
    assertThatThrownBy(() -> messages.sent(HELLO, Instant.EPOCH, soon()))
        .isInstanceOf(Failure.class);
  }
}
