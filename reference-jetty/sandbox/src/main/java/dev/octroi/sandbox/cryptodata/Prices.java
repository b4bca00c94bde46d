package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Drift;
import dev.octroi.sandbox.vendor.Figures;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.function.LongToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** The one source of every price, so that all answers of one moment agree. */
final class Prices {

  /** How far apart a day's samples lie. */
  private static final long SAMPLE = 900;

  private static final long DAY = 86_400;

  private Prices() {}

  /** A token in USD at a time. */
  static double usd(Token token, long second) {
    return significant(raw(token, second));
  }

  static double high24h(Token token, long now) {
    return significant(day(token, now).max().orElse(token.middle()) * 1.0004);
  }

  static double low24h(Token token, long now) {
    return significant(day(token, now).min().orElse(token.middle()) * 0.9996);
  }

  /** Percent since a time. */
  static double changePercent(Token token, long from, long now) {
    return Figures.round((raw(token, now) / raw(token, from) - 1) * 100, 2);
  }

  static double volume24hUsd(Token token, long now) {
    double turnover = new Drift("turnover:" + token.symbol()).level(0.04, 0.8, now);
    return Figures.round(marketCap(token, now) * turnover, 2);
  }

  static double marketCap(Token token, long now) {
    return Figures.round(token.supply() * usd(token, now), 2);
  }

  static double fullyDiluted(Token token, long now) {
    double supply = Math.max(token.supply(), token.maxSupply());
    return Figures.round(supply * usd(token, now), 2);
  }

  /** Eight significant digits: enough that a bid stays below its ask for the cheapest token. */
  static double significant(double value) {
    return BigDecimal.valueOf(value).round(new MathContext(8)).doubleValue();
  }

  static double raw(Token token, long second) {
    return curve(token).applyAsDouble(second);
  }

  /** The price by time, for who reads many times of it: naming a curve costs more than reading. */
  static LongToDoubleFunction curve(Token token) {
    Drift drift = new Drift("price:" + token.symbol());
    return second -> drift.level(token.middle(), token.volatility(), second);
  }

  private static DoubleStream day(Token token, long now) {
    LongToDoubleFunction price = curve(token);
    return LongStream.rangeClosed(0, DAY / SAMPLE)
        .mapToDouble(step -> price.applyAsDouble(now - step * SAMPLE));
  }
}
