package dev.octroi.payments.servlet;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.SignedInWallet;
import dev.octroi.payments.flow.IncomingCall;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body was read for what binds the payment, and is there again for the application:
 * as a stream, as parameters and as parts.
 */
final class RereadableRequest extends HttpServletRequestWrapper {

  /** By which Tomcat sends files past the response. */
  private static final String SEND_FILE = "org.apache.tomcat.sendfile.";

  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String PARTS = "multipart/form-data";

  private final ServletExchange exchange;
  private final IncomingCall incoming;
  private final ServletCall call;
  private @Nullable ServletInputStream stream;
  private @Nullable BufferedReader reader;
  private @Nullable Map<String, String[]> parameters;
  private @Nullable List<Part> parts;

  RereadableRequest(
      HttpServletRequest request,
      ServletExchange exchange,
      IncomingCall incoming,
      ServletCall call) {
    super(request);
    this.exchange = exchange;
    this.incoming = incoming;
    this.call = call;
  }

  private HttpServletRequest received() {
    return (HttpServletRequest) getRequest();
  }

  /** What comes in pieces is whole by now. */
  @Override
  public long getContentLengthLong() {
    return incoming.bodyLength().orElseGet(super::getContentLengthLong);
  }

  @Override
  public int getContentLength() {
    long length = getContentLengthLong();
    return length > Integer.MAX_VALUE ? -1 : (int) length;
  }

  @Override
  public ServletInputStream getInputStream() {
    if (reader != null) {
      throw new IllegalStateException("the body is read by a reader already");
    }
    return stream();
  }

  private ServletInputStream stream() {
    if (stream == null) {
      InputStream body = exchange.body();
      stream = new Body(body == null ? InputStream.nullInputStream() : body);
    }
    return stream;
  }

  @Override
  public BufferedReader getReader() throws IOException {
    if (reader == null) {
      if (stream != null) {
        throw new IllegalStateException("the body is read as a stream already");
      }
      String encoding = getCharacterEncoding();
      Charset charset = encoding == null ? StandardCharsets.ISO_8859_1 : Charset.forName(encoding);
      reader = new BufferedReader(new InputStreamReader(stream(), charset));
    }
    return reader;
  }

  private boolean isOf(String mediaType) {
    String type = getContentType();
    return type != null && type.toLowerCase(Locale.ROOT).startsWith(mediaType);
  }

  /** Those of the query, as the container read them, and those of the body. */
  @Override
  public Map<String, String[]> getParameterMap() {
    if (parameters == null) {
      parameters = Collections.unmodifiableMap(read());
    }
    return parameters;
  }

  private Map<String, String[]> read() {
    Map<String, String[]> ofQuery = super.getParameterMap();
    Map<String, List<String>> all = new LinkedHashMap<>();
    ofQuery.forEach((name, values) -> all.put(name, new ArrayList<>(List.of(values))));
    if (isOf(FORM)) {
      String form = new String(incoming.body(), StandardCharsets.ISO_8859_1);
      Forms.read(form, charset(), all);
    } else if (isOf(PARTS)) {
      for (Part part : readable()) {
        if (part.getSubmittedFileName() == null) {
          all.computeIfAbsent(part.getName(), none -> new ArrayList<>())
              .add(((Forms.MemoryPart) part).text(charset()));
        }
      }
    }
    Map<String, String[]> arrays = new LinkedHashMap<>();
    all.forEach((name, values) -> arrays.put(name, values.toArray(String[]::new)));
    return arrays;
  }

  private Charset charset() {
    String encoding = getCharacterEncoding();
    return encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
  }

  /** The parts; none of a form that cannot be read, of which only {@link #getParts} complains. */
  private List<Part> readable() {
    try {
      return all();
    } catch (IOException | ServletException e) {
      return List.of();
    }
  }

  private List<Part> all() throws IOException, ServletException {
    if (!isOf(PARTS)) {
      throw new ServletException("the request is no " + PARTS);
    }
    if (parts == null) {
      parts = Forms.parts(incoming.body(), getContentType(), getCharacterEncoding());
    }
    return parts;
  }

  @Override
  public @Nullable String getParameter(String name) {
    String[] values = getParameterMap().get(name);
    return values == null ? null : values[0];
  }

  @Override
  public String @Nullable [] getParameterValues(String name) {
    String[] values = getParameterMap().get(name);
    return values == null ? null : values.clone();
  }

  @Override
  public Enumeration<String> getParameterNames() {
    return Collections.enumeration(getParameterMap().keySet());
  }

  @Override
  public Collection<Part> getParts() throws IOException, ServletException {
    return List.copyOf(all());
  }

  @Override
  public @Nullable Part getPart(String name) throws IOException, ServletException {
    return all().stream().filter(part -> part.getName().equals(name)).findFirst().orElse(null);
  }

  /** The payment, else the wallet that is signed in, else what the container knows. */
  @Override
  public @Nullable Principal getUserPrincipal() {
    return call.paid()
        .<Principal>map(paid -> paid)
        .or(this::wallet)
        .orElseGet(super::getUserPrincipal);
  }

  private Optional<SignedInWallet> wallet() {
    return exchange.property(SignedInWallet.PROPERTY) instanceof SignedInWallet wallet
        ? Optional.of(wallet)
        : Optional.empty();
  }

  /** Hands out this request and the response that is held back, not what is behind them. */
  @Override
  public AsyncContext startAsync() {
    return startAsync(this, call.response());
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    return call.began(super.startAsync(request, response));
  }

  @Override
  public AsyncContext getAsyncContext() {
    return call.wrapped(super.getAsyncContext());
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    return name.equals(SEND_FILE + "support") ? (Object) false : super.getAttribute(name);
  }

  @Override
  public void setAttribute(String name, @Nullable Object value) {
    if (name.startsWith(SEND_FILE)) {
      throw new IllegalStateException("a file would be sent past the payment");
    }
    super.setAttribute(name, value);
  }

  @Override
  public <T extends HttpUpgradeHandler> T upgrade(Class<T> handler) {
    throw new IllegalStateException("a connection that is upgraded is not sold");
  }

  /** The body from its start, or what is left of it. */
  private final class Body extends ServletInputStream {

    private final InputStream in;
    private boolean finished;

    Body(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      try {
        int read = in.read(buffer, offset, length);
        finished |= read < 0;
        return read;
      } catch (CallRefused e) {
        throw new IOException("the body was refused with " + e.answer().status(), e);
      }
    }

    @Override
    public boolean isFinished() {
      return finished;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    /** All of the body is here, so that the listener is told so at once, on a thread of its own. */
    @Override
    public void setReadListener(ReadListener listener) {
      received()
          .getAsyncContext()
          .start(
              () -> {
                try {
                  listener.onDataAvailable();
                  listener.onAllDataRead();
                } catch (IOException | RuntimeException e) {
                  listener.onError(e);
                }
              });
    }
  }
}
