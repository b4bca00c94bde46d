package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.books.BookExport;
import dev.octroi.payments.books.Period;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class JdbcLedgerOnH2Test {

  @Nested
  class Claims extends ClaimContract {
    Claims() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class Settlements extends SettlementContract {
    Settlements() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class Redeliveries extends RedeliveryContract {
    Redeliveries() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class Deliveries extends DeliveringContract {
    Deliveries() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class Clocks extends ClocksContract {
    Clocks() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class Nodes extends NodesContract {
    Nodes() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class SharedCommits extends WritersContract {
    SharedCommits() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class DurableEffects extends EffectsContract {
    DurableEffects() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class SignIns extends SignInContract {
    SignIns() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class Identified extends IdentifierContract {
    Identified() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class Keys extends AccountsContract {
    Keys() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class Budgets extends BudgetContract {
    Budgets() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class KeptBooks extends BooksContract {
    KeptBooks() {
      super(new H2TestDatabase());
    }

    /** H2 keeps the limit of a statement for all that its connection is used for later. */
    @Test
    void anExportHasItsOwnTimeOnAConnectionThatHadALimit() throws Exception {
      ledger.settleHere(claimed(ledger, Sample.fresh()), Sample.ANSWER);
      for (int doubled = 0; doubled < 14; doubled++) {
        change(
            "INSERT INTO journal (at, debit, credit, amount)"
                + " SELECT at, debit, credit, amount FROM journal");
      }
      try (Connection limited = database.getConnection();
          Statement statement = limited.createStatement()) {
        statement.execute("SET QUERY_TIMEOUT 1");
        DataSource only =
            (DataSource)
                Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {DataSource.class},
                    (proxy, method, arguments) -> limited);
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        new BookExport(only).write(Period.ALL, BookExport.Format.JSONL, out);

        assertThat(out.toString(StandardCharsets.UTF_8).lines()).hasSize(2 << 14);
      }
    }
  }

  @Nested
  class ClosedBooks extends ClosingContract {
    ClosedBooks() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class Told extends OutboxContract {
    Told() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class PaidBack extends RefundsContract {
    PaidBack() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class OnAccount extends DebtsContract {
    OnAccount() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class OpenEnds extends UnresolvedPaymentsContract {
    OpenEnds() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class Transitions extends TransitionsContract {
    Transitions() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class Resumptions extends ResumptionContract {
    Resumptions() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class ClosedEffects extends EffectRunnerContract {
    ClosedEffects() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class OfChannels extends ChannelContract {
    OfChannels() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class OfChannelsOnAChain extends ChannelOnChainContract {
    OfChannelsOnAChain() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class ChannelSeeds extends ChannelSeedsContract {
    ChannelSeeds() {
      super(new H2TestDatabase());
    }
  }

  @Nested
  class Statuses extends PaymentStatusesContract {
    Statuses() {
      super(new H2TestDatabase());
    }
  }
}
