package dev.octroi.payments.ledger;

import org.junit.jupiter.api.Nested;

class JdbcLedgerOnPostgresTest {

  @Nested
  class Claims extends ClaimContract {
    Claims() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Settlements extends SettlementContract {
    Settlements() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Redeliveries extends RedeliveryContract {
    Redeliveries() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Nodes extends NodesContract {
    Nodes() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class SharedCommits extends WritersContract {
    SharedCommits() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class DurableEffects extends EffectsContract {
    DurableEffects() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Identified extends IdentifierContract {
    Identified() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Keys extends AccountsContract {
    Keys() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Budgets extends BudgetContract {
    Budgets() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class KeptBooks extends BooksContract {
    KeptBooks() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class ClosedBooks extends ClosingContract {
    ClosedBooks() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class PaidBack extends RefundsContract {
    PaidBack() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class OnAccount extends DebtsContract {
    OnAccount() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class OpenEnds extends UndecidedContract {
    OpenEnds() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Transitions extends TransitionsContract {
    Transitions() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Resumptions extends ResumptionContract {
    Resumptions() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class ClosedEffects extends EffectDeskContract {
    ClosedEffects() {
      super(new PostgresTestDatabase());
    }
  }

  @Nested
  class Standing extends StandingsContract {
    Standing() {
      super(new PostgresTestDatabase());
    }
  }
}
