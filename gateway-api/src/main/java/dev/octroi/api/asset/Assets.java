package dev.octroi.api.asset;

import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps files that answers link to and finds them again. Thread-safe. */
public final class Assets implements AutoCloseable {

  /** What serves the files, for the application's classes. */
  public static final List<Class<?>> RESOURCES = List.of(AssetResource.class);

  static final String PATH = "/v1/assets";

  private static final Logger LOG = LoggerFactory.getLogger(Assets.class);

  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final int ID_BYTES = 16;
  private static final int HEAD_BYTES = 12;
  private static final int ID_DIGITS = 2 * ID_BYTES;

  private final AssetStore store;
  private final Duration life;
  private final long largest;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();

  /**
   * @param store closed with this
   * @param life how long files are kept
   * @param largest in bytes
   */
  public Assets(AssetStore store, Duration life, long largest, Clock clock) {
    this.store = store;
    this.life = life;
    this.largest = largest;
    this.clock = clock;
  }

  /** How long a file is kept. */
  public Duration life() {
    return life;
  }

  /**
   * Keeps bytes as what they really are.
   *
   * @throws Failure 502 if they are too many or of a type that is not served, 503 if they could not
   *     be kept
   */
  public Asset keep(byte[] bytes) {
    return keep(AssetContent.of(bytes));
  }

  /** The same for bytes that need not be in memory. */
  public Asset keep(AssetContent content) {
    if (content.length() > largest) {
      throw new Failure(ErrorCode.UPSTREAM_FAILED, "The result is too large to be kept.");
    }
    Instant now = now();
    try {
      Asset asset = new Asset(id(), type(content), content.length(), now, now.plus(life));
      store.keep(asset, content);
      return asset;
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  /**
   * The file of an address's last segment, unless it has expired.
   *
   * @throws Failure 503 if the store does not answer
   */
  public Optional<Asset> find(String name) {
    if (name.length() <= ID_DIGITS) {
      return Optional.empty();
    }
    try {
      return store
          .find(name.substring(0, ID_DIGITS))
          .filter(asset -> asset.name().equals(name) && !asset.isGone(clock.instant()));
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  /**
   * Its bytes; the caller closes them.
   *
   * @param from how many to leave out, less than the length
   */
  public InputStream open(Asset asset, long from) throws IOException {
    return store.open(asset, from);
  }

  /**
   * Where the world reads it.
   *
   * @param base what {@link BaseAddress} says of the request
   */
  public String address(String base, Asset asset) {
    return address(base, asset.name());
  }

  /**
   * The same of a file whose name is known.
   *
   * @param name of an {@link Asset}
   */
  public String address(String base, String name) {
    return base + PATH + "/" + name;
  }

  /** What of its life is left. */
  Duration rest(Asset asset) {
    return Duration.between(clock.instant(), asset.expires());
  }

  /** Deletes what has expired, again and again. */
  public RecurringTask retention() {
    return new RecurringTask("expire-assets", PAUSE, this::expire);
  }

  private void expire() {
    try {
      int gone = store.expire(now());
      LOG.debug("{} files have expired", gone);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static AssetType type(AssetContent content) throws IOException {
    try (InputStream in = content.open()) {
      return AssetType.of(in.readNBytes(HEAD_BYTES))
          .orElseThrow(
              () -> new Failure(ErrorCode.UPSTREAM_FAILED, "The result is of no known type."));
    }
  }

  private static Failure unavailable(IOException e) {
    LOG.warn("The store of files does not answer: {}", e.toString());
    return new Failure(
        ErrorCode.UPSTREAM_UNAVAILABLE, "Files are out of reach at the moment.", null, e);
  }

  private String id() {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }

  @Override
  public void close() {
    store.close();
  }

  /**
   * A file that is kept; its content never changes.
   *
   * @param id 32 hexadecimal digits, 128 random bits: who knows it may read the file
   * @param length in bytes
   * @param created whole seconds, as HTTP tells times
   * @param expires when it is gone, whole seconds
   */
  public record Asset(String id, AssetType type, long length, Instant created, Instant expires) {

    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

    public Asset {
      if (!isId(id)) {
        throw new IllegalArgumentException("an asset's id is 32 hexadecimal digits");
      }
      if (length < 0) {
        throw new IllegalArgumentException("a length is 0 and up");
      }
    }

    static boolean isId(String text) {
      return ID.matcher(text).matches();
    }

    /** The last segment of its address. */
    public String name() {
      return id + "." + type.extension();
    }

    boolean isGone(Instant now) {
      return !now.isBefore(expires);
    }
  }
}
