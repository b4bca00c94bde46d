package dev.octroi.sandbox.phone;

import dev.octroi.sandbox.contract.Contract;
import dev.octroi.sandbox.contract.Violation;
import dev.octroi.sandbox.vendor.SandboxAnswer;
import dev.octroi.sandbox.vendor.SandboxRequest;
import dev.octroi.sandbox.vendor.SandboxVendor;
import java.time.Clock;
import java.util.Map;

/** The lookup and number vendor, for any account. Thread-safe. */
public final class PhoneVendor implements SandboxVendor {

  /** Where the sandbox serves it. */
  public static final String MOUNT = "phone";

  private static final Contract CONTRACT = Contract.of("phone.txt");

  /** What the operations below an account begin with. */
  private static final String ACCOUNT = "/2010-04-01/Accounts/{AccountSid}/";

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
  public Contract contract() {
    return CONTRACT;
  }

  @Override
  public SandboxAnswer answer(SandboxRequest request) {
    Form asked = Form.of(request);
    Map<String, String> path = request.call().path();
    return switch (request.call().operation().replace(ACCOUNT, "")) {
      case "GET /v2/PhoneNumbers/{PhoneNumber}" ->
          LookupService.lookUp(path.getOrDefault("PhoneNumber", ""), asked);
      case "GET AvailablePhoneNumbers/{CountryCode}/Local.json" ->
          numbers.available(path.getOrDefault("CountryCode", ""), asked);
      case "GET IncomingPhoneNumbers.json" -> numbers.bought(asked);
      case "POST IncomingPhoneNumbers.json" -> numbers.buy(asked);
      case "DELETE IncomingPhoneNumbers/{Sid}.json" ->
          numbers.release(path.getOrDefault("Sid", ""));
      case "GET Messages.json" -> messages.sent(asked);
      case "POST Messages.json" -> messages.send(asked);
      default -> Errors.notFound();
    };
  }

  /** The vendor has a code for every text and number that is missing or malformed. */
  @Override
  public SandboxAnswer refusal(Violation violation) {
    return switch (violation.kind()) {
      case UNAUTHORIZED -> Errors.of(401, 20003, "Authenticate");
      case NO_PATH -> Errors.notFound();
      case NO_METHOD -> Errors.of(405, 20004, "Method not allowed");
      default -> {
        int code =
            switch (violation.dotted()) {
              case "To" -> 21604;
              case "From" -> 21603;
              case "Body" -> 21602;
              case "PhoneNumber" -> 21421;
              default -> 20001;
            };
        yield Errors.of(400, code, violation.sentence());
      }
    };
  }

  @Override
  public SandboxAnswer failure(int status, String message) {
    return Errors.of(status, 20_000 + status, message);
  }
}
