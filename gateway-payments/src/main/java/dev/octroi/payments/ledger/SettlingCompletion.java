package dev.octroi.payments.ledger;

/**
 * The call was not told that it may settle, so this node sent nothing: but only a chain proves
 * that.
 */
final class SettlingCompletion implements CompletionListener<Boolean> {

  private final Claim claim;
  private final OpenClaims open;
  private final Transitions transitions;

  SettlingCompletion(Claim claim, OpenClaims open, Transitions transitions) {
    this.claim = claim;
    this.open = open;
    this.transitions = transitions;
  }

  @Override
  public void done(Boolean moved) {
    if (moved) {
      open.of(claim).ifPresent(OpenClaims.Entry::settling);
    } else {
      open.leave(claim);
    }
  }

  @Override
  public void unheard(Boolean moved) {
    if (moved) {
      transitions.end(
          claim, PaymentState.SETTLING, PaymentState.IN_DOUBT, null, "ledger_unavailable");
    }
  }
}
