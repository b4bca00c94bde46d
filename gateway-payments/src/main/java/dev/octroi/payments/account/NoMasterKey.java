package dev.octroi.payments.account;

/** The gateway has no master key, so that it can neither make nor open managed wallets. */
public final class NoMasterKey extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  public NoMasterKey() {
    super("without a master key (gateway.keys.master-key) there are no managed wallets");
  }
}
