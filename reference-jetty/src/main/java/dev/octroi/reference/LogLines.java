package dev.octroi.reference;

import ch.qos.logback.classic.pattern.Abbreviator;
import ch.qos.logback.classic.pattern.TargetLengthBasedClassNameAbbreviator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.util.CachingDateFormatter;
import java.util.Locale;

/**
 * A line of the log: time, level, logger, the call's id, message, and what was thrown below. In
 * code, for the words of a pattern take a fortieth of the start. Thread-safe.
 */
final class LogLines extends LayoutBase<ILoggingEvent> {

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
