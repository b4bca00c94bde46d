package dev.octroi.payments.servlet;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Payment;
import dev.octroi.payments.Settle;
import dev.octroi.payments.flow.IncomingCall;
import dev.octroi.payments.flow.PaidCall;
import dev.octroi.payments.flow.PaymentFlow;
import dev.octroi.payments.servlet.PaymentServletFilter.Manner;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request under the filter, whatever the container dispatches it to and however often: it is
 * admitted once and concluded once.
 */
final class ServletCall {

  private static final String ATTRIBUTE = "dev.octroi.payments.servlet-call";
  private static final Logger LOG = LoggerFactory.getLogger(ServletCall.class);

  private final PaymentFlow flow;
  private final Manner manner;
  private final IncomingCall incoming;
  private final ServletExchange exchange;
  private final RereadableRequest request;
  private final AtomicBoolean concluded = new AtomicBoolean();
  private final AtomicBoolean ended = new AtomicBoolean();
  private HttpServletResponse response;
  private @Nullable HeldResponse held;
  private @Nullable PaidCall paid;
  private boolean async;

  ServletCall(
      PaymentFlow flow,
      Manner manner,
      IncomingCall incoming,
      ServletExchange exchange,
      HttpServletRequest request,
      HttpServletResponse response) {
    this.flow = flow;
    this.manner = manner;
    this.incoming = incoming;
    this.exchange = exchange;
    this.response = response;
    this.request = new RereadableRequest(request, exchange, incoming, this);
    request.setAttribute(ATTRIBUTE, this);
  }

  /** The call that a request belongs to; empty if no payment was looked for yet. */
  static Optional<ServletCall> of(HttpServletRequest request) {
    return Optional.ofNullable((ServletCall) request.getAttribute(ATTRIBUTE));
  }

  /** What an answer in place of the application's becomes. */
  HttpAnswer refusal(HttpAnswer answer) {
    return manner.refusals().apply(exchange, answer);
  }

  /** What the application answers by. */
  HttpServletResponse response() {
    return response;
  }

  /** The call is paid for: from now on its answer is held back. */
  void hold(PaidCall claimed) {
    HttpServletRequest original = (HttpServletRequest) request.getRequest();
    original.setAttribute(Payment.DEADLINE, claimed.deadline());
    HeldResponse holding = new HeldResponse(original, response, this, flow.answers().arriving());
    paid = claimed;
    held = holding;
    response = holding;
  }

  /** Gives the answer that the payer has bought already, or asks the application. */
  void begin(FilterChain chain) throws IOException, ServletException {
    if (held == null || paid == null) {
      incoming.caching(null).ifPresent(told -> response.setHeader("Cache-Control", told));
      dispatch(chain, request, response);
    } else if (paid.replay().isPresent()) {
      held.give(paid.replay().get());
      finish();
    } else if (manner.settlesItself() || isSettled(paid, held)) {
      dispatch(chain, request, response);
    } else {
      finish();
    }
  }

  /** False if the price was to be settled before, and could not. */
  private static boolean isSettled(PaidCall paid, HeldResponse held) {
    if (paid.endpoint().settle() == Settle.BEFORE && !paid.isSettled()) {
      try {
        paid.settle();
      } catch (CallRefused refused) {
        held.replace(refused.answer());
        return false;
      }
    }
    return true;
  }

  Optional<PaidCall> paid() {
    return Optional.ofNullable(paid);
  }

  /** Whether the answer may leave as it is written. */
  boolean streams() {
    return paid != null && paid.endpoint().settle() == Settle.BEFORE && paid.isSettled();
  }

  /** The container dispatches the request again. */
  void again(FilterChain chain, HttpServletRequest given, HttpServletResponse answering)
      throws IOException, ServletException {
    DispatcherType type = given.getDispatcherType();
    if (type == DispatcherType.ERROR) {
      // What the application has answered is void, and the page of the error is sold to no one.
      fail();
      chain.doFilter(given, answering);
      if (held != null && isWrapperFor(answering, held)) {
        held.flushBuffer();
      }
    } else if (type == DispatcherType.ASYNC) {
      boolean wrapped = held == null || isWrapperFor(answering, held);
      dispatch(chain, wrapped ? given : request, wrapped ? answering : response);
    } else {
      chain.doFilter(given, answering);
    }
  }

  private static boolean isWrapperFor(HttpServletResponse outer, HeldResponse inner) {
    return outer == inner
        || (outer instanceof ServletResponseWrapper wrapper && wrapper.isWrapperFor(inner));
  }

  /** Runs the application, and ends the call unless that goes on beside. */
  private void dispatch(FilterChain chain, ServletRequest given, ServletResponse answering)
      throws IOException, ServletException {
    async = false;
    boolean returned = false;
    try {
      chain.doFilter(given, answering);
      returned = true;
    } catch (ServletException | RuntimeException e) {
      returned = refusal(e);
      if (!returned) {
        throw e;
      }
    } finally {
      if (!returned) {
        fail();
      }
    }
    if (!async && request.getRequest().isAsyncStarted()) {
      // An application that unwraps the request begins past this filter, which sells only what it
      // sees.
      async = true;
      request.getRequest().getAsyncContext().addListener(new Completion());
    }
    if (!async) {
      finish();
    }
  }

  /** What refuses a call beneath this filter ends with its answer, unless another has begun. */
  private boolean refusal(Exception thrown) throws IOException {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof CallRefused refused && held != null && !held.streams()) {
        held.replace(refused.answer());
        return true;
      }
      if (cause instanceof CallRefused refused && held == null && !response.isCommitted()) {
        response.reset();
        HeldResponse.write(refusal(refused.answer()), response);
        return true;
      }
    }
    return false;
  }

  /** Decides what becomes of the payment, once. */
  void conclude() {
    if (concluded.compareAndSet(false, true) && paid != null && held != null) {
      flow.conclude(paid, held);
    }
  }

  /** The answer is whole: decides about it and sends it. */
  void finish() throws IOException {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    if (paid == null || held == null) {
      incoming.close();
      return;
    }
    boolean arrived = false;
    try {
      held.flushWriter();
      conclude();
      if (!held.isInMemory()) {
        incoming.close();
      }
      held.send();
      arrived = true;
    } finally {
      if (arrived) {
        flow.delivered(paid);
      } else {
        flow.undelivered(paid);
      }
      held.close();
    }
  }

  /** The application failed, or does not come to an end: nothing of it is sold. */
  void fail() {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    if (paid == null || held == null) {
      incoming.close();
      return;
    }
    try {
      held.failed();
      if (held.streams()) {
        held.send();
      }
      conclude();
    } catch (IOException e) {
      LOG.debug("The rest of a stream did not leave", e);
    } finally {
      flow.undelivered(paid);
      held.open();
    }
  }

  /** The application goes on beside this thread. */
  AsyncContext began(AsyncContext context) {
    async = true;
    context.addListener(new Completion());
    return wrapped(context);
  }

  AsyncContext wrapped(AsyncContext context) {
    return new Held(context);
  }

  /** Where no filter saw the end, because it is not mapped to ASYNC or ERROR, nothing is sold. */
  private final class Completion implements AsyncListener {

    @Override
    public void onComplete(AsyncEvent event) {
      fail();
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    /** A container forgets its listeners when it begins anew. */
    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }
  }

  /** Decides about the answer before the container completes the request. */
  private final class Held implements AsyncContext {

    private final AsyncContext context;

    Held(AsyncContext context) {
      this.context = context;
    }

    @Override
    public void complete() {
      try {
        finish();
      } catch (IOException e) {
        LOG.debug("An answer did not leave", e);
      } finally {
        context.complete();
      }
    }

    @Override
    public ServletRequest getRequest() {
      return context.getRequest();
    }

    @Override
    public ServletResponse getResponse() {
      return context.getResponse();
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
      return false;
    }

    @Override
    public void dispatch() {
      context.dispatch();
    }

    @Override
    public void dispatch(String path) {
      context.dispatch(path);
    }

    @Override
    public void dispatch(ServletContext application, String path) {
      context.dispatch(application, path);
    }

    @Override
    public void start(Runnable task) {
      context.start(task);
    }

    @Override
    public void addListener(AsyncListener listener) {
      context.addListener(new Told(listener));
    }

    @Override
    public void addListener(
        AsyncListener listener, ServletRequest given, ServletResponse answering) {
      context.addListener(new Told(listener), given, answering);
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
      return context.createListener(type);
    }

    @Override
    public void setTimeout(long millis) {
      context.setTimeout(millis);
    }

    @Override
    public long getTimeout() {
      return context.getTimeout();
    }
  }

  /** Tells a listener of the application, which may complete the request from there. */
  private final class Told implements AsyncListener {

    private final AsyncListener listener;

    Told(AsyncListener listener) {
      this.listener = listener;
    }

    private AsyncEvent event(AsyncEvent event) {
      return new AsyncEvent(
          wrapped(event.getAsyncContext()),
          event.getSuppliedRequest(),
          event.getSuppliedResponse(),
          event.getThrowable());
    }

    @Override
    public void onComplete(AsyncEvent event) throws IOException {
      listener.onComplete(event(event));
    }

    @Override
    public void onTimeout(AsyncEvent event) throws IOException {
      listener.onTimeout(event(event));
    }

    @Override
    public void onError(AsyncEvent event) throws IOException {
      listener.onError(event(event));
    }

    @Override
    public void onStartAsync(AsyncEvent event) throws IOException {
      listener.onStartAsync(event(event));
    }
  }
}
