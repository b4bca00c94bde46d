package dev.octroi.reference.process;

import com.anthropic.core.http.HttpRequest;
import com.anthropic.core.http.HttpResponse;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentRequired;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import okhttp3.Request;
import okhttp3.Response;

/**
 * What the vendors' SDKs for Java send their calls through: sees every answer, and pays per call
 * where there is no API key.
 */
final class SdkDoor {

  private static final int PAYMENT_REQUIRED = 402;

  private final Optional<PaymentSigner> signer;
  private final List<Integer> statuses = new CopyOnWriteArrayList<>();

  private SdkDoor(Optional<PaymentSigner> signer) {
    this.signer = signer;
  }

  static SdkDoor ofKey() {
    return new SdkDoor(Optional.empty());
  }

  static SdkDoor paying() {
    return new SdkDoor(Optional.of(new PaymentSigner(Wallet.generate(), Clock.systemUTC())));
  }

  boolean pays() {
    return signer.isPresent();
  }

  /** What was answered since the last call of this method. */
  List<Integer> statuses() {
    List<Integer> seen = List.copyOf(statuses);
    statuses.clear();
    return seen;
  }

  com.anthropic.core.http.Interceptor messages() {
    return com.anthropic.core.http.Interceptor.syncOnly(
        (next, request, options) -> {
          if (signer.isEmpty()) {
            return seen(next.execute(request, options));
          }
          HttpResponse answer = seen(next.execute(request, options));
          if (answer.statusCode() != PAYMENT_REQUIRED) {
            return answer;
          }
          String challenge = answer.headers().values(PaymentHeaders.PAYMENT_REQUIRED).get(0);
          answer.close();
          HttpRequest paid =
              request.toBuilder()
                  .putHeader(PaymentHeaders.PAYMENT_SIGNATURE, sign(challenge))
                  .build();
          return seen(next.execute(paid, options));
        });
  }

  okhttp3.Interceptor open() {
    return chain -> {
      if (signer.isEmpty()) {
        return seen(chain.proceed(chain.request()));
      }
      // A bearer value that is no key would be 401: who pays per call sends none.
      Request bare = chain.request().newBuilder().removeHeader("Authorization").build();
      Response answer = seen(chain.proceed(bare));
      if (answer.code() != PAYMENT_REQUIRED) {
        return answer;
      }
      String challenge = Objects.requireNonNull(answer.header(PaymentHeaders.PAYMENT_REQUIRED));
      answer.close();
      return seen(
          chain.proceed(
              bare.newBuilder().header(PaymentHeaders.PAYMENT_SIGNATURE, sign(challenge)).build()));
    };
  }

  private String sign(String header) {
    PaymentRequired challenge = PaymentRequired.read(header);
    return signer.orElseThrow().sign(challenge, challenge.accepts().get(0));
  }

  private HttpResponse seen(HttpResponse answer) {
    statuses.add(answer.statusCode());
    return answer;
  }

  private Response seen(Response answer) {
    statuses.add(answer.code());
    return answer;
  }
}
