package dev.octroi.sandbox.vendor;

import dev.octroi.sandbox.contract.Contract;
import dev.octroi.sandbox.contract.Violation;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A vendor that is made for its first request: a gateway starts sooner without the data of vendors
 * that it does not call. Thread-safe.
 */
public final class OnFirstRequest implements SandboxVendor, AutoCloseable {

  private final String mount;
  private final Supplier<? extends SandboxVendor> maker;
  private @Nullable SandboxVendor made;

  /**
   * @param mount where the vendor that is made is mounted
   * @param maker is called once
   */
  public OnFirstRequest(String mount, Supplier<? extends SandboxVendor> maker) {
    this.mount = mount;
    this.maker = maker;
  }

  @Override
  public String mount() {
    return mount;
  }

  @Override
  public Contract contract() {
    return vendor().contract();
  }

  @Override
  public SandboxAnswer answer(SandboxRequest request) {
    return vendor().answer(request);
  }

  @Override
  public SandboxAnswer failure(int status, String message) {
    return vendor().failure(status, message);
  }

  @Override
  public SandboxAnswer refusal(Violation violation) {
    return vendor().refusal(violation);
  }

  @Override
  public int maxBody() {
    return vendor().maxBody();
  }

  private synchronized SandboxVendor vendor() {
    SandboxVendor vendor = made;
    if (vendor == null) {
      vendor = maker.get();
      made = vendor;
    }
    return vendor;
  }

  @Override
  public synchronized void close() {
    if (!(made instanceof AutoCloseable held)) {
      return;
    }
    try {
      held.close();
    } catch (Exception e) {
      throw new IllegalStateException("The vendor " + mount + " did not close", e);
    }
  }
}
