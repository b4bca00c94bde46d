package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import javax.sql.DataSource;

/** What every database must keep of the rules of money; a subclass is one theme of them. */
abstract class LedgerContract extends LedgerFixture {

  /** Another request than that of any sample. */
  static final RequestBinding ELSEWHERE =
      new RequestBinding("GET", "/elsewhere", "", "00".repeat(32));

  private final TestDatabase kind;

  LedgerContract(TestDatabase kind) {
    this.kind = kind;
  }

  @Override
  DataSource emptyDatabase() {
    return kind.open();
  }

  @Override
  void closeDatabase() {
    kind.close();
  }
}
