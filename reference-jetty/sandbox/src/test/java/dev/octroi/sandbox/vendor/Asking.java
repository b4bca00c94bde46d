package dev.octroi.sandbox.vendor;

import dev.octroi.sandbox.contract.Call;
import dev.octroi.sandbox.contract.Checked;
import dev.octroi.sandbox.contract.Violation;
import java.util.List;
import java.util.Map;

/** Asks a vendor without a server, and holds the request to its contract as the server does. */
public final class Asking {

  private Asking() {}

  public static SandboxAnswer ask(
      SandboxVendor vendor,
      String method,
      String path,
      Map<String, List<String>> query,
      Map<String, String> headers,
      byte[] body) {
    Checked checked = vendor.contract().check(method, path, query, headers, body);
    return checked instanceof Violation violation
        ? vendor.refusal(violation)
        : vendor.answer(new SandboxRequest(method, path, query, headers, body, (Call) checked));
  }
}
