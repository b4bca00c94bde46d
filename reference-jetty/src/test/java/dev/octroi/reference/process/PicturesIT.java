package dev.octroi.reference.process;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentHeaders;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many large pictures at one moment, in half a gigabyte with the sandbox in the same process. */
@Tag("slow")
class PicturesIT {

  private static final int AT_ONCE = 24;
  private static final int SIDE = 4096;
  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  @ParameterizedTest
  @ValueSource(ints = {0, 180})
  void twentyFourEditsOfSixteenMegapixelsAreServedOrRefusedUncharged(
      int noisyRows, @TempDir Path data) throws Exception {
    String picture = Base64.getEncoder().encodeToString(png(noisyRows));
    String body = "{\"prompt\":\"a wall\",\"images\":[\"" + picture + "\"]}";
    try (Running gateway =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString()).start()) {
      URI base = gateway.awaitReady();
      Offer offer = Offer.ask(base, "/v1/images/edits", body);
      List<Sale> sales = new ArrayList<>();
      for (int i = 0; i < AT_ONCE; i++) {
        sales.add(offer.accept(Wallet.generate()));
      }
      List<CompletableFuture<HttpResponse<String>>> calls =
          sales.stream().map(sale -> send(base, sale)).toList();
      int served = 0;
      for (CompletableFuture<HttpResponse<String>> call : calls) {
        HttpResponse<String> answer = call.join();
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 429, 503);
        served += answer.statusCode() == 200 ? 1 : 0;
        assertThat(answer.headers().firstValue("Retry-After").isPresent())
            .isEqualTo(answer.statusCode() != 200);
      }
      System.out.println(served + " of " + AT_ONCE + " edits were served, the rest may come again");
      assertThat(served).isPositive();
      assertThat(gateway.errText()).doesNotContain("OutOfMemoryError");
      assertThat(Offer.read(base).accept(Wallet.generate()).send(base).statusCode()).isEqualTo(200);
      gateway.terminate();
      assertThat(gateway.awaitExit()).isZero();
      try (LedgerTables tables = LedgerTables.ofFile(data, data.resolve("copies"))) {
        tables.assertBooksAgree();
        tables.assertNothingReserved();
      }
    }
  }

  private static CompletableFuture<HttpResponse<String>> send(URI base, Sale sale) {
    return Offer.HTTP.sendAsync(
        sale.offer()
            .request(base)
            .timeout(TIMEOUT)
            .header(PaymentHeaders.PAYMENT_SIGNATURE, sale.payment())
            .build(),
        BodyHandlers.ofString());
  }

  /**
   * Transparent pixels, row by row.
   *
   * @param noisyRows how many rows cannot be compressed
   */
  private static byte[] png(int noisyRows) throws IOException {
    ByteArrayOutputStream pixels = new ByteArrayOutputStream();
    try (OutputStream deflated = new DeflaterOutputStream(pixels)) {
      Random random = new Random(7);
      byte[] row = new byte[1 + 4 * SIDE];
      for (int y = 0; y < SIDE; y++) {
        if (y < noisyRows) {
          random.nextBytes(row);
          row[0] = 0;
        } else if (y == noisyRows) {
          row = new byte[1 + 4 * SIDE];
        }
        deflated.write(row);
      }
    }
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(png);
    out.writeLong(0x89504E470D0A1A0AL);
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    DataOutputStream form = new DataOutputStream(head);
    form.writeInt(SIDE);
    form.writeInt(SIDE);
    form.write(new byte[] {8, 6, 0, 0, 0});
    chunk(out, "IHDR", head.toByteArray());
    chunk(out, "IDAT", pixels.toByteArray());
    chunk(out, "IEND", new byte[0]);
    return png.toByteArray();
  }

  private static void chunk(DataOutputStream out, String type, byte[] data) throws IOException {
    CRC32 sum = new CRC32();
    sum.update(type.getBytes(US_ASCII));
    sum.update(data);
    out.writeInt(data.length);
    out.writeBytes(type);
    out.write(data);
    out.writeInt((int) sum.getValue());
  }
}
