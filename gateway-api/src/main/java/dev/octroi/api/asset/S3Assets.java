package dev.octroi.api.asset;

import dev.octroi.api.asset.Assets.Asset;
import dev.octroi.services.Deadline;
import dev.octroi.services.upstream.BodyQueue;
import dev.octroi.services.upstream.BodyStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * Files in a bucket of an S3-compatible store, an object each. Expired objects are deleted by their
 * age; a rule of the bucket that does so earlier must leave them their life. Other objects are left
 * alone. Thread-safe.
 */
public final class S3Assets implements AssetStore {

  private static final String KIND = "x-amz-meta-kind";
  private static final String CREATED = "x-amz-meta-created";
  private static final String EXPIRES = "x-amz-meta-expires";
  private static final int NOT_FOUND = 404;
  private static final int PAGES_A_RUN = 10;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final S3Bucket bucket;
  private final S3Calls calls;
  private final Duration life;

  /** The last key that was looked at; empty to begin with the first. */
  private volatile String seen = "";

  /**
   * @param life of every file
   */
  public S3Assets(S3Bucket bucket, Duration life) {
    this.bucket = bucket;
    this.calls = new S3Calls(bucket, PATIENCE);
    this.life = life;
  }

  @Override
  public void keep(Asset asset, AssetContent content) throws IOException {
    Map<String, String> headers = new HashMap<>();
    headers.put("content-type", asset.type().mediaType());
    headers.put(KIND, asset.type().extension());
    headers.put(CREATED, String.valueOf(asset.created().getEpochSecond()));
    headers.put(EXPIRES, String.valueOf(asset.expires().getEpochSecond()));
    try {
      required(
              calls.send(
                  SdkHttpMethod.PUT, bucket.object(asset.id()), headers, Optional.of(content)))
          .close();
    } catch (UncheckedIOException e) {
      throw new IOException("the content broke off", e);
    }
  }

  @Override
  public Optional<Asset> find(String id) throws IOException {
    HttpResponse<InputStream> answer =
        calls.send(SdkHttpMethod.HEAD, bucket.object(id), Map.of(), Optional.empty());
    if (answer.statusCode() == NOT_FOUND) {
      answer.body().close();
      return Optional.empty();
    }
    required(answer).close();
    try {
      return Optional.of(
          new Asset(
              id,
              AssetType.ofExtension(header(answer, KIND)),
              Long.parseLong(header(answer, "content-length")),
              Instant.ofEpochSecond(Long.parseLong(header(answer, CREATED))),
              Instant.ofEpochSecond(Long.parseLong(header(answer, EXPIRES)))));
    } catch (IllegalArgumentException e) {
      throw new IOException("this is no file of ours: " + id, e);
    }
  }

  @Override
  public InputStream open(Asset asset, long from) throws IOException {
    Map<String, String> part = from == 0 ? Map.of() : Map.of("range", "bytes=" + from + "-");
    return required(
        calls.send(SdkHttpMethod.GET, bucket.object(asset.id()), part, Optional.empty()));
  }

  /**
   * Goes on where the last run ended, so that no file that lives keeps one behind it from its end.
   */
  @Override
  public int expire(Instant now) throws IOException {
    int gone = 0;
    for (int page = 0; page < PAGES_A_RUN; page++) {
      S3Listing listing = listing(seen);
      for (S3Listing.Entry entry : listing.entries()) {
        if (bucket.isFile(entry.key()) && !now.isBefore(entry.modified().plus(life))) {
          required(
                  calls.send(
                      SdkHttpMethod.DELETE, bucket.key(entry.key()), Map.of(), Optional.empty()))
              .close();
          gone++;
        }
      }
      seen = listing.last();
      if (seen.isEmpty()) {
        break;
      }
    }
    return gone;
  }

  private S3Listing listing(String after) throws IOException {
    HttpResponse<InputStream> answer =
        calls.send(
            SdkHttpMethod.GET,
            bucket.listing(S3Listing.query(bucket.prefix(), after)),
            Map.of(),
            Optional.empty());
    try (InputStream body = required(answer)) {
      return S3Listing.read(body);
    } catch (XMLStreamException e) {
      throw new IOException("the listing cannot be read", e);
    }
  }

  private static InputStream required(HttpResponse<InputStream> answer) throws IOException {
    if (answer.statusCode() >= 300) {
      answer.body().close();
      throw new IOException("the store answers " + answer.statusCode());
    }
    return answer.body();
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  /**
   * One page of a bucket's objects.
   *
   * @param last the key that the next page begins behind; empty if this is the last page
   */
  private record S3Listing(List<Entry> entries, String last) {

    /** An object. */
    record Entry(String key, Instant modified) {}

    /** The query of the page behind a key, sorted as the signature wants it. */
    static String query(String prefix, String after) {
      return "list-type=2&prefix="
          + encoded(prefix)
          + (after.isEmpty() ? "" : "&start-after=" + encoded(after));
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
      boolean more = false;
      String key = "";
      while (xml.hasNext()) {
        if (xml.next() == XMLStreamConstants.START_ELEMENT) {
          switch (xml.getLocalName()) {
            case "Key" -> key = xml.getElementText();
            case "LastModified" -> entries.add(new Entry(key, Instant.parse(xml.getElementText())));
            case "IsTruncated" -> more = xml.getElementText().equals("true");
            default -> {
              // Nothing that matters here.
            }
          }
        }
      }
      return new S3Listing(List.copyOf(entries), more ? key : "");
    }
  }

  /**
   * A bucket of an S3-compatible store, addressed by path.
   *
   * @param endpoint such as {@code https://s3.eu-central-1.amazonaws.com}
   * @param prefix of all keys, such as {@code octroi/}
   */
  public record S3Bucket(
      URI endpoint, String region, String name, String prefix, String accessKey, String secretKey) {

    /** The address of a file's object. */
    URI object(String id) {
      return key(prefix + id);
    }

    URI key(String key) {
      return URI.create(base() + "/" + key);
    }

    /** The address of the bucket itself, with a query. */
    URI listing(String query) {
      return URI.create(base() + "?" + query);
    }

    /** Whether a key is one of this class's files, and not what the operator keeps beside them. */
    boolean isFile(String key) {
      return key.startsWith(prefix) && Asset.isId(key.substring(prefix.length()));
    }

    private String base() {
      String root = endpoint.toString();
      return (root.endsWith("/") ? root : root + "/") + name;
    }

    /** Without the keys, for the log. */
    @Override
    public String toString() {
      return base() + "/" + prefix;
    }
  }

  /** Sends requests to an S3-compatible store, signed by the vendor's own signer. Thread-safe. */
  static final class S3Calls {

    private static final Logger LOG = LoggerFactory.getLogger(S3Calls.class);

    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** Before a request is sent again. */
    private static final List<Duration> PAUSES =
        List.of(Duration.ofMillis(100), Duration.ofMillis(500));

    private static final int BUSY = 500;

    /** How long a caller may take to read a file at most; who needs longer asks for the rest. */
    private static final Duration WHOLE = Duration.ofMinutes(10);

    /** What the client sets itself. */
    private static final Set<String> OWN = Set.of("host", "content-length");

    private final HttpClient http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();

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

    /**
     * The answer, whatever its status; the caller closes its body. A store that is busy, or breaks
     * off, is asked again: each of these requests may come twice.
     *
     * @throws IOException if it does not answer
     */
    HttpResponse<InputStream> send(
        SdkHttpMethod method, URI address, Map<String, String> headers, Optional<AssetContent> body)
        throws IOException {
      try {
        for (Duration pause : PAUSES) {
          try {
            HttpResponse<InputStream> answer = once(method, address, headers, body);
            if (answer.statusCode() < BUSY) {
              return answer;
            }
            answer.body().close();
          } catch (HttpTimeoutException e) {
            throw e;
          } catch (IOException e) {
            LOG.debug("The store of files broke off and is asked again", e);
          }
          LockSupport.parkNanos(pause.toNanos());
        }
        return once(method, address, headers, body);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }

    private HttpResponse<InputStream> once(
        SdkHttpMethod method, URI address, Map<String, String> headers, Optional<AssetContent> body)
        throws IOException, InterruptedException {
      SdkHttpRequest.Builder wire = SdkHttpRequest.builder().method(method).uri(address);
      headers.forEach(wire::putHeader);
      HttpRequest.Builder request =
          HttpRequest.newBuilder(address)
              .timeout(patience)
              .method(
                  method.name(), body.map(S3Calls::publisher).orElseGet(BodyPublishers::noBody));
      signed(wire.build(), body)
          .forEachHeader(
              (name, values) -> {
                if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
                  values.forEach(value -> request.header(name, value));
                }
              });
      return http.send(request.build(), info -> body());
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
}
