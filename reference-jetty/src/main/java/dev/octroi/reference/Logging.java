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
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the standalone gateway logs, unless the operator brings a file of Logback's: warnings to
 * stderr, {@code OCTROI_LOG_LEVEL} says from where on, and the access log to stdout. In code, for
 * reading a file takes a good part of the start; without either, Jetty logs its DEBUG lines.
 */
public final class Logging extends ContextAwareBase implements Configurator {

  @Override
  public ExecutionStatus configure(LoggerContext logback) {
    if (hasFile()) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    setUp(logback, level());
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  static void setUp(LoggerContext logback, String asked) {
    Level level = Level.toLevel(asked, Level.WARN);
    logback.getLogger("ROOT").setLevel(level);
    logback
        .getLogger("ROOT")
        .addAppender(console(logback, ConsoleTarget.SystemErr, new LogLines()));
    logback.getLogger("dev.octroi").setLevel(level);
    // Jetty warns of what callers write into a head, as often as they like and in their words.
    logback.getLogger("org.eclipse.jetty.http.HttpParser").setLevel(quiet(level));
    logback.getLogger("org.eclipse.jetty.util.HostPort").setLevel(quiet(level));
    // What the operator changes is always noted.
    logback.getLogger("dev.octroi.operator").setLevel(Level.INFO);
    logback.getLogger("dev.octroi.access").setLevel(Level.INFO);
    logback.getLogger("dev.octroi.access").setAdditive(false);
    logback
        .getLogger("dev.octroi.access")
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

    /** The message alone, for lines that a machine reads. */
    static final class Bare extends LayoutBase<ILoggingEvent> {

      @Override
      public String doLayout(ILoggingEvent event) {
        return message(event) + System.lineSeparator();
      }
    }
  }
}
