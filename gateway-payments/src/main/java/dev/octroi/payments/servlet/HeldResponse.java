package dev.octroi.payments.servlet;

import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Payment;
import dev.octroi.payments.body.ArrivingBody;
import dev.octroi.payments.body.BodyRefused;
import dev.octroi.payments.flow.OutgoingAnswer;
import dev.octroi.payments.x402.PaymentHeaders;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The response of a paid call, held back until it is decided whether it may leave: its body lies in
 * memory, and on disk where it is long. Once the call is settled, and the answer is a success, its
 * bytes leave as they are written.
 */
final class HeldResponse extends HttpServletResponseWrapper implements OutgoingAnswer {

  private enum Mode {
    /** Nothing leaves. */
    HELD,
    /** The call is settled: what is written leaves. */
    STREAMS,
    /** It is decided what leaves, and the application adds nothing to it. */
    DECIDED,
    /** The container answers by itself. */
    OPEN
  }

  /** What the response does in place of sending a body. */
  @FunctionalInterface
  private interface Ending {
    void send() throws IOException;
  }

  private final HttpServletRequest request;
  private final ServletCall call;
  private final ArrivingBody held;
  private final Map<String, List<String>> before = new LinkedHashMap<>();
  private final @Nullable String typeBefore;
  private final Map<String, String> marks = new HashMap<>();
  private final Out out = new Out();
  private @Nullable PrintWriter writer;
  private boolean taken;
  private Mode mode = Mode.HELD;
  private boolean failed;
  private boolean overflown;
  private byte @Nullable [] frozen;
  private @Nullable Ending ending;
  private int endingStatus;
  private @Nullable Supplier<Map<String, String>> trailers;
  private Runnable firstByte = () -> {};
  private Runnable end = () -> {};

  HeldResponse(
      HttpServletRequest request,
      HttpServletResponse response,
      ServletCall call,
      ArrivingBody held) {
    super(response);
    this.request = request;
    this.call = call;
    this.held = held;
    for (String name : response.getHeaderNames()) {
      before.put(name, List.copyOf(response.getHeaders(name)));
    }
    this.typeBefore = response.getContentType();
  }

  private HttpServletResponse real() {
    return (HttpServletResponse) getResponse();
  }

  // What the flow asks and decides.

  @Override
  public int status() {
    return failed ? SC_INTERNAL_SERVER_ERROR : ending == null ? super.getStatus() : endingStatus;
  }

  @Override
  public @Nullable String header(String name) {
    if (Payment.MARKS.contains(name)) {
      return marks.get(name);
    }
    if (name.equalsIgnoreCase("Content-Type")) {
      return super.getContentType();
    }
    List<String> values = new ArrayList<>(super.getHeaders(name));
    return values.isEmpty() ? null : String.join(",", values);
  }

  @Override
  public void header(String name, String value) {
    super.setHeader(name, value);
  }

  @Override
  public boolean isStream() {
    return mode == Mode.STREAMS;
  }

  @Override
  public boolean isEmpty() {
    return mode != Mode.STREAMS && length() == 0;
  }

  @Override
  public byte[] freeze(int limit, LongConsumer room) throws IOException {
    if (overflown || held.length() > limit) {
      throw tooLong(limit);
    }
    room.accept(length());
    // What is held leaves from where it lies: a caller may take its time to read it.
    return frozen == null ? held.stream().readAllBytes() : frozen;
  }

  private static IOException tooLong(long limit) {
    return new IOException(
        "the answer is longer than " + limit + " bytes: let its price be settled before");
  }

  @Override
  public void body(byte[] instead) {
    frozen = instead;
  }

  @Override
  public void replace(HttpAnswer instead) {
    if (failed || real().isCommitted()) {
      return;
    }
    super.reset();
    before.forEach((name, values) -> values.forEach(value -> super.addHeader(name, value)));
    if (typeBefore != null) {
      super.setContentType(typeBefore);
    }
    give(call.refusal(instead));
    trailers = null;
    ending = null;
    mode = Mode.DECIDED;
  }

  /** Gives an answer in place of what the application would have written. */
  void give(HttpAnswer answer) {
    head(answer, real());
    frozen = answer.body();
  }

  /** Sets the status and the headers of an answer. */
  static void head(HttpAnswer answer, HttpServletResponse response) {
    response.setStatus(answer.status());
    answer
        .headers()
        .forEach(
            (name, value) -> {
              if (name.equalsIgnoreCase("Content-Type")) {
                response.setContentType(value);
              } else {
                response.setHeader(name, value);
              }
            });
  }

  /** Gives an answer at once, where nothing is held back. */
  static void write(HttpAnswer answer, HttpServletResponse response) throws IOException {
    head(answer, response);
    response.setContentLength(answer.body().length);
    response.getOutputStream().write(answer.body());
    response.flushBuffer();
  }

  @Override
  public void stream(Runnable onFirstByte, Runnable unbegun, Runnable atEnd) {
    firstByte = onFirstByte;
    end = atEnd;
  }

  /** The application failed: whatever it has written is no answer. */
  void failed() {
    failed = true;
  }

  /** Whether the answer leaves from memory, and not from what it was held in. */
  boolean isInMemory() {
    return frozen != null;
  }

  /** Whether bytes leave as they are written. */
  boolean streams() {
    return mode == Mode.STREAMS;
  }

  /** Nothing is left to decide: the container may say what it likes. */
  void open() {
    mode = Mode.OPEN;
    close();
  }

  /** Sends what was decided. */
  void send() throws IOException {
    if (mode == Mode.STREAMS) {
      flushWriter();
      end.run();
      return;
    }
    mode = Mode.DECIDED;
    Supplier<Map<String, String>> told = trailers;
    if (told != null) {
      super.setTrailerFields(told);
    }
    if (ending != null) {
      mode = Mode.OPEN;
      ending.send();
    } else if (!real().isCommitted()) {
      sendBody();
    }
  }

  private void sendBody() throws IOException {
    int status = super.getStatus();
    long length = length();
    boolean bodiless = status == SC_NO_CONTENT || status == SC_NOT_MODIFIED || status < 200;
    if (!bodiless && trailers == null) {
      super.setContentLengthLong(length);
    }
    if (length > 0) {
      ServletOutputStream real = super.getOutputStream();
      if (frozen == null) {
        held.stream().transferTo(real);
      } else {
        real.write(frozen);
      }
      real.flush();
    } else {
      super.flushBuffer();
    }
  }

  /** How many bytes are to leave. */
  private long length() {
    return frozen == null ? held.length() : frozen.length;
  }

  /** Gives back memory and file. */
  void close() {
    try {
      held.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // What the application does.

  @Override
  public ServletOutputStream getOutputStream() {
    if (writer != null) {
      throw new IllegalStateException("the response is written by a writer already");
    }
    taken = true;
    return out;
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    if (writer == null) {
      if (taken) {
        throw new IllegalStateException("the response is written as a stream already");
      }
      String encoding = getCharacterEncoding();
      super.setCharacterEncoding(encoding);
      writer = new PrintWriter(new OutputStreamWriter(out, encoding));
    }
    return writer;
  }

  /** What the application has written by a writer is a part of the answer that is decided about. */
  void flushWriter() {
    if (writer != null) {
      writer.flush();
    }
  }

  @Override
  public void flushBuffer() throws IOException {
    flushWriter();
    out.flush();
  }

  @Override
  public boolean isCommitted() {
    return (mode == Mode.HELD && ending != null)
        || mode == Mode.STREAMS
        || mode == Mode.DECIDED
        || super.isCommitted();
  }

  @Override
  public void reset() {
    resetBuffer();
    super.reset();
    marks.clear();
    trailers = null;
    writer = null;
    taken = false;
  }

  @Override
  public void resetBuffer() {
    if (isCommitted()) {
      throw new IllegalStateException("the response is under way");
    }
    flushWriter();
    if (mode == Mode.OPEN) {
      super.resetBuffer();
    } else {
      close();
    }
    overflown = false;
  }

  /** What is held back grows by itself. */
  @Override
  public void setBufferSize(int size) {}

  @Override
  public void sendError(int status) throws IOException {
    endWith(status, () -> super.sendError(status));
  }

  @Override
  public void sendError(int status, String message) throws IOException {
    endWith(status, () -> super.sendError(status, message));
  }

  @Override
  public void sendRedirect(String location) throws IOException {
    endWith(SC_FOUND, () -> super.sendRedirect(location));
  }

  private void endWith(int status, Ending how) throws IOException {
    if (mode == Mode.OPEN) {
      how.send();
      return;
    }
    if (isCommitted()) {
      throw new IllegalStateException("the response is under way");
    }
    resetBuffer();
    ending = how;
    endingStatus = status;
  }

  @Override
  public int getStatus() {
    return ending == null ? super.getStatus() : endingStatus;
  }

  @Override
  public void setHeader(String name, String value) {
    if (leaves(name, value)) {
      super.setHeader(name, value);
    }
  }

  @Override
  public void addHeader(String name, String value) {
    if (leaves(name, value)) {
      super.addHeader(name, value);
    }
  }

  @Override
  public void setIntHeader(String name, int value) {
    setHeader(name, Integer.toString(value));
  }

  @Override
  public void addIntHeader(String name, int value) {
    addHeader(name, Integer.toString(value));
  }

  @Override
  public void setDateHeader(String name, long date) {
    if (leaves(name, "")) {
      super.setDateHeader(name, date);
    }
  }

  @Override
  public void addDateHeader(String name, long date) {
    if (leaves(name, "")) {
      super.addDateHeader(name, date);
    }
  }

  /** Headers that are said to the flow do not leave, and what tells of the payment is its own. */
  private boolean leaves(String name, String value) {
    for (String mark : Payment.MARKS) {
      if (mark.equalsIgnoreCase(name)) {
        marks.put(mark, value);
        return false;
      }
    }
    return PaymentHeaders.OF_ANSWERS.stream().noneMatch(name::equalsIgnoreCase);
  }

  @Override
  public void setTrailerFields(Supplier<Map<String, String>> supplier) {
    if (mode == Mode.HELD) {
      trailers = supplier;
    } else {
      super.setTrailerFields(supplier);
    }
  }

  private void write(byte[] bytes, int offset, int length) throws IOException {
    if (mode == Mode.HELD && ending == null && call.streams() && status() / 100 == 2) {
      beginStream();
    }
    if (mode == Mode.STREAMS || mode == Mode.OPEN) {
      super.getOutputStream().write(bytes, offset, length);
      firstByte.run();
    } else if (mode == Mode.HELD && ending == null) {
      hold(bytes, offset, length);
    }
  }

  /** The call was settled before its answer: what was held leaves, and what follows. */
  private void beginStream() throws IOException {
    mode = Mode.STREAMS;
    call.conclude();
    if (mode == Mode.STREAMS && held.length() > 0) {
      held.stream().transferTo(super.getOutputStream());
      firstByte.run();
    }
  }

  private void hold(byte[] bytes, int offset, int length) throws IOException {
    if (overflown) {
      throw tooLong(held.length());
    }
    try {
      held.add(ByteBuffer.wrap(bytes, offset, length));
    } catch (BodyRefused e) {
      overflown = true;
      throw new IOException(
          "the answer is too long to be held back, or there is no room: let its price be settled"
              + " before",
          e);
    }
  }

  /** What the application writes to. */
  private final class Out extends ServletOutputStream {

    @Override
    public void write(int b) throws IOException {
      HeldResponse.this.write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      HeldResponse.this.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      if (mode == Mode.STREAMS || mode == Mode.OPEN) {
        real().getOutputStream().flush();
      }
    }

    /** The filter ends the answer. */
    @Override
    public void close() {}

    @Override
    public boolean isReady() {
      return true;
    }

    /** There is always room, so that the listener is told so at once, on a thread of its own. */
    @Override
    public void setWriteListener(WriteListener listener) {
      request
          .getAsyncContext()
          .start(
              () -> {
                try {
                  listener.onWritePossible();
                } catch (IOException | RuntimeException e) {
                  listener.onError(e);
                }
              });
    }
  }
}
