package dev.octroi.payments.jaxrs;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.Migrations;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.facilitator.SandboxFacilitator;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.setup.Payments;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/**
 * A host's process with the {@link Dialler}, on the database and with the vendor that its arguments
 * name. It says where it serves.
 */
final class DialUntilKilled {

  /** What comes before its address. */
  static final String SERVING = "serving at ";

  private DialUntilKilled() {}

  public static void main(String[] arguments) throws Exception {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(arguments[0]);
    Migrations.apply(pool);
    NamedStatements.of(pool)
        .useHandle(
            handle ->
                handle.execute(
                    "CREATE TABLE IF NOT EXISTS dialled (id UUID PRIMARY KEY, reference VARCHAR(64))"));
    Clock clock = Clock.systemUTC();
    JdbcLedger ledger =
        new JdbcLedger(pool, new AnswerVault(new byte[32]), LedgerSettings.of("host"), clock);
    ExactEvmVerifier verifier = new ExactEvmVerifier(clock, Signatures.fastest());
    Payments payments =
        Payments.builder()
            .ledger(ledger)
            .accept(TestMoney.HERE.payableTo(TestMoney.SELLER, 60))
            .facilitator(
                new SandboxFacilitator(verifier::verify, List.of(TestMoney.HERE.network())))
            .build();
    ResourceConfig application =
        new ResourceConfig()
            .register(new Dialler(ledger, URI.create(arguments[1])))
            .register(new PaymentsFeature(payments));
    JettyHost host = JettyHost.start(context -> new ServletContainer(application));
    System.out.println(SERVING + host.base());
  }
}
