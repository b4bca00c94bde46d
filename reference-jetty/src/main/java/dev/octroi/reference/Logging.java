package dev.octroi.reference;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.pattern.Abbreviator;
import ch.qos.logback.classic.pattern.TargetLengthBasedClassNameAbbreviator;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.util.CachingDateFormatter;
import dev.octroi.api.house.HouseJson;
import dev.octroi.api.observe.Observation;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * What the standalone gateway logs, unless the operator brings a file of Logback's: warnings to
 * stderr, {@code OCTROI_LOG_LEVEL} says from where on, and the access log to stdout. In code, for
 * reading a file takes a good part of the start; without either, Jetty logs its DEBUG lines.
 *
 * <p>Before the settings are read the lines are for people; {@link #writeJson} makes them a
 * machine's.
 */
public final class Logging extends ContextAwareBase implements Configurator {

  /** Where a process that writes JSON says that it serves. */
  public static final String START = "dev.octroi.start";

  private static final String ACCESS = "dev.octroi.access";

  @Override
  public ExecutionStatus configure(LoggerContext logback) {
    if (hasFile()) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    setUp(logback, level());
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** From now on each line is a JSON object, unless a file of Logback's says how lines look. */
  static void writeJson() {
    if (!hasFile() && LoggerFactory.getILoggerFactory() instanceof LoggerContext logback) {
      writeJson(logback);
      // What others of this process say past SLF4J.
      SLF4JBridgeHandler.removeHandlersForRootLogger();
      SLF4JBridgeHandler.install();
    }
  }

  /**
   * Notes why a process ends: with its stack trace where lines are for machines, or where the
   * operator asked for {@code INFO}.
   *
   * @return whether the log has told it on the terminal
   */
  public static boolean failed(String sentence, Throwable thrown) {
    Logger log = LoggerFactory.getLogger("dev.octroi.command");
    boolean json =
        LoggerFactory.getILoggerFactory() instanceof LoggerContext logback
            && !logback.getLogger(START).isAdditive();
    if (json) {
      log.error(sentence, thrown);
    } else {
      log.info(sentence, thrown);
    }
    return json;
  }

  static void writeJson(LoggerContext logback) {
    logback.getLogger("ROOT").detachAndStopAllAppenders();
    logback
        .getLogger("ROOT")
        .addAppender(console(logback, ConsoleTarget.SystemErr, new LogLines.Json()));
    logback.getLogger(ACCESS).detachAndStopAllAppenders();
    logback.getLogger(START).setLevel(Level.INFO);
    logback.getLogger(START).setAdditive(false);
    for (String name : List.of(ACCESS, START)) {
      logback
          .getLogger(name)
          .addAppender(console(logback, ConsoleTarget.SystemOut, new LogLines.Json()));
    }
  }

  static void setUp(LoggerContext logback, String asked) {
    Level level = Level.toLevel(asked, Level.WARN);
    logback.getLogger("ROOT").setLevel(level);
    logback
        .getLogger("ROOT")
        .addAppender(console(logback, ConsoleTarget.SystemErr, new LogLines()));
    logback.getLogger("dev.octroi").setLevel(level);
    // They warn of what callers write, as often as callers like and in their words.
    for (String ofCallers :
        List.of("org.eclipse.jetty.http.HttpParser", "org.eclipse.jetty.util.HostPort")) {
      logback.getLogger(ofCallers).setLevel(quiet(level));
    }
    // It says its version while the settings are read, when lines have not got their form yet.
    logback.getLogger("org.hibernate.validator.internal.util.Version").setLevel(Level.WARN);
    // What the operator changes is always noted.
    logback.getLogger("dev.octroi.operator").setLevel(Level.INFO);
    logback.getLogger(ACCESS).setLevel(Level.INFO);
    logback.getLogger(ACCESS).setAdditive(false);
    logback
        .getLogger(ACCESS)
        .addAppender(console(logback, ConsoleTarget.SystemOut, new LogLines.Bare()));
  }

  private static Level quiet(Level asked) {
    return asked == Level.WARN ? Level.ERROR : asked;
  }

  private static boolean hasFile() {
    ClassLoader loader = Logging.class.getClassLoader();
    return System.getProperty("logback.configurationFile") != null
        || Stream.of("logback-test.xml", "logback.xml")
            .anyMatch(name -> loader.getResource(name) != null);
  }

  private static String level() {
    return Optional.ofNullable(System.getProperty("OCTROI_LOG_LEVEL"))
        .or(() -> Optional.ofNullable(System.getenv("OCTROI_LOG_LEVEL")))
        .orElse("");
  }

  private static ConsoleAppender<ILoggingEvent> console(
      LoggerContext logback, ConsoleTarget target, Layout<ILoggingEvent> layout) {
    layout.setContext(logback);
    layout.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(logback);
    encoder.setLayout(layout);
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(logback);
    appender.setTarget(target.getName());
    appender.setEncoder(encoder);
    appender.start();
    return appender;
  }

  /**
   * A line of the log: time, level, logger, the call's id, message, and what was thrown below. In
   * code, for the words of a pattern take a fortieth of the start. Thread-safe.
   */
  static final class LogLines extends LayoutBase<ILoggingEvent> {

    private static final int LEVEL_LENGTH = 5;
    private static final int LOGGER_LENGTH = 20;

    private final CachingDateFormatter time = new CachingDateFormatter("HH:mm:ss.SSS");
    private final Abbreviator names = new TargetLengthBasedClassNameAbbreviator(LOGGER_LENGTH);

    @Override
    public String doLayout(ILoggingEvent event) {
      String level = event.getLevel().toString();
      StringBuilder line = new StringBuilder(time.format(event.getTimeStamp()));
      line.append(' ').append(level).append(" ".repeat(LEVEL_LENGTH - level.length()));
      line.append(' ').append(names.abbreviate(event.getLoggerName()));
      line.append(' ').append(event.getMDCPropertyMap().getOrDefault("request", "-"));
      line.append(' ').append(message(event)).append(System.lineSeparator());
      if (event.getThrowableProxy() != null) {
        line.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
      }
      return line.toString();
    }

    /** On one line, and without what a terminal would obey: part of it may be a caller's. */
    private static String message(ILoggingEvent event) {
      String message = event.getFormattedMessage();
      if (message == null || message.chars().noneMatch(Character::isISOControl)) {
        return String.valueOf(message);
      }
      StringBuilder line = new StringBuilder();
      message
          .chars()
          .forEach(
              one -> {
                if (Character.isISOControl(one)) {
                  line.append(String.format(Locale.ROOT, "\\u%04x", one));
                } else {
                  line.append((char) one);
                }
              });
      return line.toString();
    }

    /**
     * A line that a machine reads: a JSON object with {@code at}, {@code level}, {@code logger},
     * {@code request} and {@code trace} where there is a call, {@code message}, and {@code thrown}.
     * A message that is an object, as those of the access log may be, is the line's own members.
     */
    static final class Json extends LayoutBase<ILoggingEvent> {

      @Override
      public String doLayout(ILoggingEvent event) {
        String message = event.getFormattedMessage();
        if (event.getLoggerName().equals(ACCESS) && message.startsWith("{")) {
          return message + System.lineSeparator();
        }
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("at", event.getInstant());
        line.put("level", event.getLevel().toString());
        line.put("logger", event.getLoggerName());
        for (String id : List.of(Observation.REQUEST, Observation.TRACE)) {
          String value = event.getMDCPropertyMap().get(id);
          if (value != null) {
            line.put(id, value);
          }
        }
        line.put("message", String.valueOf(message));
        if (event.getThrowableProxy() != null) {
          line.put("thrown", ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
        return new String(HouseJson.of(line), StandardCharsets.UTF_8) + System.lineSeparator();
      }
    }

    /** The message alone, for lines that a machine reads. */
    static final class Bare extends LayoutBase<ILoggingEvent> {

      @Override
      public String doLayout(ILoggingEvent event) {
        return message(event) + System.lineSeparator();
      }
    }
  }
}
