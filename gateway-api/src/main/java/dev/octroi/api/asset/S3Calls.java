package dev.octroi.api.asset;

import dev.octroi.api.asset.S3Assets.S3Bucket;
import dev.octroi.services.Deadline;
import dev.octroi.services.upstream.BodyQueue;
import dev.octroi.services.upstream.BodyStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** Sends requests to an S3-compatible store, signed by the vendor's own signer. Thread-safe. */
final class S3Calls {

  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** How long a caller may take to read a file at most; who needs longer asks for the rest. */
  private static final Duration WHOLE = Duration.ofMinutes(10);

  /** What the client sets itself. */
  private static final Set<String> OWN = Set.of("host", "content-length");

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT).build();

  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
  private final S3Bucket bucket;
  private final Duration patience;
  private final AwsCredentialsIdentity identity;

  /**
   * @param patience how long the store may take to answer, and then be silent
   */
  S3Calls(S3Bucket bucket, Duration patience) {
    this.bucket = bucket;
    this.patience = patience;
    this.identity = AwsCredentialsIdentity.create(bucket.accessKey(), bucket.secretKey());
  }

  /** The answer, whatever its status; the caller closes its body. */
  HttpResponse<InputStream> send(
      SdkHttpMethod method, URI address, Map<String, String> headers, Optional<AssetContent> body)
      throws IOException {
    SdkHttpRequest.Builder wire = SdkHttpRequest.builder().method(method).uri(address);
    headers.forEach(wire::putHeader);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .timeout(patience)
            .method(method.name(), body.map(S3Calls::publisher).orElseGet(BodyPublishers::noBody));
    signed(wire.build(), body)
        .forEachHeader(
            (name, values) -> {
              if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
              }
            });
    try {
      return http.send(request.build(), info -> body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** The client's own timeout ends with the headers. */
  private BodySubscriber<InputStream> body() {
    return BodySubscribers.mapping(
        new BodyQueue(() -> {}),
        come -> new BodyStream(come, patience, Deadline.in(WHOLE), silent -> {}));
  }

  private SdkHttpRequest signed(SdkHttpRequest wire, Optional<AssetContent> body) {
    SignedRequest signed =
        signer.sign(
            request -> {
              request
                  .identity(identity)
                  .request(wire)
                  .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "s3")
                  .putProperty(AwsV4HttpSigner.REGION_NAME, bucket.region())
                  .putProperty(AwsV4FamilyHttpSigner.DOUBLE_URL_ENCODE, false)
                  .putProperty(AwsV4FamilyHttpSigner.NORMALIZE_PATH, false);
              body.ifPresent(content -> request.payload(() -> opened(content)));
            });
    return signed.request();
  }

  private static BodyPublisher publisher(AssetContent content) {
    return BodyPublishers.fromPublisher(
        BodyPublishers.ofInputStream(() -> opened(content)), content.length());
  }

  private static InputStream opened(AssetContent content) {
    try {
      return new Part(content.open(), content.length());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
