package dev.octroi.payments.ledger.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.LedgerSettings;
import java.io.PrintStream;
import java.time.Clock;

/** A process that claims and settles until it is killed, and says what was acknowledged. */
final class ClaimUntilKilled {

  private static final int CALLERS = 4;

  private ClaimUntilKilled() {}

  public static void main(String[] arguments) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(arguments[0]);
    JdbcLedger ledger =
        new JdbcLedger(
            pool, new AnswerVault(new byte[32]), LedgerSettings.of("a"), Clock.systemUTC());
    for (int i = 0; i < CALLERS; i++) {
      boolean settles = i % 2 == 0;
      new Thread(() -> goOn(ledger, settles, System.out)).start();
    }
  }

  private static void goOn(JdbcLedger ledger, boolean settles, PrintStream out) {
    while (true) {
      Sample sample = Sample.fresh();
      ClaimResult result = ledger.claim(sample.request());
      Claim claim = ((ClaimResult.Claimed) result).claim();
      if (!settles) {
        out.println("CLAIMED " + claim.id());
      } else if (ledger.settleHere(claim, Sample.ANSWER) instanceof Settlement.Settled) {
        out.println("SETTLED " + claim.id());
      }
    }
  }
}
