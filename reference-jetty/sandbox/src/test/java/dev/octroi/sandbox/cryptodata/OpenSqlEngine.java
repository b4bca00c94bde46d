package dev.octroi.sandbox.cryptodata;

import java.util.function.UnaryOperator;

/** The engine with nothing before its database: every statement reaches it as it was written. */
final class OpenSqlEngine {

  private OpenSqlEngine() {}

  public static void main(String[] arguments) {
    SqlEngine.serve(Long.parseLong(arguments[0]), UnaryOperator.identity());
  }
}
