package dev.octroi.reference.cli;

import dev.octroi.reference.ReferenceGateway;
import java.io.PrintWriter;

/** What a started gateway says: where it is, that its money is worthless, and what to type next. */
final class Banner {

  private Banner() {}

  static void print(PrintWriter out, ReferenceGateway gateway, String data) {
    out.printf("Octroi is ready on %s%n", gateway.baseUrl());
    if (gateway.isSandbox()) {
      out.printf(
          "  money       sandbox: worthless, any wallet starts with %s%n",
          gateway.startingBalance());
      out.printf("  demo payer  %s%n", gateway.demoPayer());
      out.println("  warning     never pay a sandbox with a funded mainnet key");
      out.println();
      out.println("Make the first paid call:");
      out.printf(
          "  java -jar %s pay%s \"%s/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT\"%n",
          jar(), folder(data), gateway.baseUrl());
      out.println("Or make an API key, for callers that cannot sign:");
      out.printf(
          "  java -jar %s keys create%s --url %s --name first%n",
          jar(), folder(data), gateway.baseUrl());
      if (gateway.hasConsole()) {
        out.printf("Watch it in a browser, with the token in %s/admin-token:%n", data);
        out.printf("  %s/console%n", gateway.baseUrl());
      }
    }
    out.flush();
  }

  private static String folder(String data) {
    return data.equals("octroi-data") ? "" : " --data " + data;
  }

  private static String jar() {
    String classPath = System.getProperty("java.class.path", "");
    return classPath.endsWith(".jar") && !classPath.contains(java.io.File.pathSeparator)
        ? classPath
        : "octroi.jar";
  }
}
