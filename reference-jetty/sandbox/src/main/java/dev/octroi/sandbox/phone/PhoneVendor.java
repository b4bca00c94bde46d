package dev.octroi.sandbox.phone;

import dev.octroi.sandbox.vendor.SandboxAnswer;
import dev.octroi.sandbox.vendor.SandboxRequest;
import dev.octroi.sandbox.vendor.SandboxVendor;
import java.time.Clock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lookup and number vendor, for any account. Thread-safe. */
public final class PhoneVendor implements SandboxVendor {

  /** Where the sandbox serves it. */
  public static final String MOUNT = "phone";

  private static final Pattern LOOKUP = Pattern.compile("/v2/PhoneNumbers/([^/]+)");
  private static final Pattern ACCOUNT =
      Pattern.compile("/2010-04-01/Accounts/[A-Za-z0-9]+/(.+)\\.json");
  private static final String OURS = "IncomingPhoneNumbers";
  private static final Pattern AVAILABLE =
      Pattern.compile("AvailablePhoneNumbers/([A-Z]{2})/Local");
  private static final Pattern ONE = Pattern.compile(OURS + "/([A-Za-z0-9]+)");

  private final NumberService numbers = new NumberService();
  private final MessageService messages;

  public PhoneVendor(Clock clock) {
    this.messages = new MessageService(numbers, clock);
  }

  @Override
  public String mount() {
    return MOUNT;
  }

  @Override
  public SandboxAnswer answer(SandboxRequest request) {
    Form asked = Form.of(request);
    Matcher lookup = LOOKUP.matcher(request.path());
    if (lookup.matches() && request.method().equals("GET")) {
      return LookupService.lookUp(lookup.group(1), asked);
    }
    Matcher account = ACCOUNT.matcher(request.path());
    return account.matches() ? ours(request.method(), account.group(1), asked) : Errors.notFound();
  }

  private SandboxAnswer ours(String method, String path, Form asked) {
    Matcher available = AVAILABLE.matcher(path);
    Matcher one = ONE.matcher(path);
    return switch (method) {
      case "POST" ->
          switch (path) {
            case OURS -> numbers.buy(asked);
            case "Messages" -> messages.send(asked);
            default -> Errors.notFound();
          };
      case "DELETE" -> one.matches() ? numbers.release(one.group(1)) : Errors.notFound();
      default -> {
        if (available.matches()) {
          yield numbers.available(available.group(1), asked);
        }
        yield switch (path) {
          case OURS -> numbers.bought(asked);
          case "Messages" -> messages.sent(asked);
          default -> Errors.notFound();
        };
      }
    };
  }

  @Override
  public SandboxAnswer failure(int status, String message) {
    return Errors.of(status, 20_000 + status, message);
  }
}
