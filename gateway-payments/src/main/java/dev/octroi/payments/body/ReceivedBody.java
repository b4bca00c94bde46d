package dev.octroi.payments.body;

import dev.octroi.payments.Admission;
import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Exchange;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The body of a request as it comes off the connection: all who read it read it here, the payment's
 * binding as well as the method. Used by the thread that serves the request.
 *
 * <p>Whatever fails while it is read is a {@link BrokenRequest}, counted once.
 *
 * <p>A request that offers to upgrade its connection has the body that its head announces, and no
 * more is read: some servers wait for what comes after it (Grizzly, half a minute). {@code Upgrade}
 * tells HTTP/1 from its successors, in which it is forbidden and a body need not be announced (RFC
 * 9113, section 8.2.2). For gate and method alike, a caller who breaks that rule has sent no body:
 * what a payment is bound to and what its method reads cannot differ.
 */
public final class ReceivedBody extends FilterInputStream {

  /** {@code Content-Length} is missing, or the body comes in chunks. */
  public static final long UNKNOWN = -1;

  private static final int MOST_DIGITS = 18;
  private static final String PROPERTY = "dev.octroi.payments.received-body";
  private static final String UPGRADE = "Upgrade";
  private static final String TRANSFER_ENCODING = "Transfer-Encoding";

  private final Runnable broken;
  private long left;
  private boolean failed;

  private ReceivedBody(InputStream in, long length, Runnable broken) {
    super(in);
    this.left = length;
    this.broken = broken;
  }

  /**
   * Has the body of a request read here from now on; without effect the second time.
   *
   * @param admission counts the request if its body is broken
   */
  public static void of(Exchange request, Admission admission) {
    InputStream received = request.body();
    if (received == null || request.property(PROPERTY) != null) {
      return;
    }
    request.property(PROPERTY, true);
    request.body(new ReceivedBody(received, length(request), () -> admission.broken(request)));
  }

  /** How much may be read at most. */
  private static long length(Exchange request) {
    if (request.header(UPGRADE) == null || request.header(TRANSFER_ENCODING) != null) {
      return Long.MAX_VALUE;
    }
    if (request.header("Content-Length") == null) {
      return 0;
    }
    long said = announced(request);
    return said == UNKNOWN ? Long.MAX_VALUE : said;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (left == 0) {
      return -1;
    }
    int most = (int) Math.min(length, left);
    int read = whole(() -> in.read(buffer, offset, most));
    left -= Math.max(0, read);
    return read;
  }

  @Override
  public long skip(long bytes) throws IOException {
    long skipped = left == 0 ? 0 : whole(() -> in.skip(Math.min(bytes, left)));
    left -= skipped;
    return skipped;
  }

  @Override
  public int available() throws IOException {
    return left == 0 ? 0 : whole(in::available);
  }

  /** Not offered: what was read would be read and counted again. */
  @Override
  public boolean markSupported() {
    return false;
  }

  private <T> T whole(Reading<T> reading) throws IOException {
    try {
      return reading.read();
    } catch (CallRefused e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      if (!failed) {
        failed = true;
        broken.run();
      }
      throw e instanceof BrokenRequest known ? known : new BrokenRequest(e);
    }
  }

  @FunctionalInterface
  private interface Reading<T> {
    T read() throws IOException;
  }

  /**
   * A request's body could not be read to its end: its caller broke off, took too long, or sent
   * what the server cannot read. Never a fault of this server, whatever the server calls it: it
   * arises where the connection is read, and nowhere else.
   */
  public static final class BrokenRequest extends IOException {

    private static final long serialVersionUID = 1L;

    /** As many wrappings as an implementation of JAX-RS may put around it, and more. */
    private static final int DEEPEST = 16;

    BrokenRequest(Throwable cause) {
      super("the request's body broke off or cannot be read", cause);
    }

    /** Whether something was thrown because a request was broken. */
    public static boolean isCauseOf(Throwable thrown) {
      Throwable cause = thrown;
      for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
        if (cause instanceof BrokenRequest) {
          return true;
        }
        cause = cause.getCause();
      }
      return false;
    }
  }

  /**
   * How long a body is said to be, in bytes: containers tell it as an {@code int}, and some fail
   * over one that is longer.
   *
   * @return {@link #UNKNOWN}; or {@link Long#MAX_VALUE} for a length that no number holds
   */
  public static long announced(Exchange request) {
    String said = request.header("Content-Length");
    if (said == null || !said.strip().matches("[0-9]+")) {
      return UNKNOWN;
    }
    String digits = said.strip();
    return digits.length() > MOST_DIGITS ? Long.MAX_VALUE : Long.parseLong(digits);
  }
}
