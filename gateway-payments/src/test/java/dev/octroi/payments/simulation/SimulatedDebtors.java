package dev.octroi.payments.simulation;

import static dev.octroi.payments.simulation.Witness.require;

import dev.octroi.payments.Usd;
import dev.octroi.payments.flow.CreditBounds.CreditTerms;
import dev.octroi.payments.ledger.PaymentState;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;

/**
 * Payers who sign a ceiling and have their answer before it is paid for, and a bookkeeper who knows
 * what left for whom and what the chain moved for it.
 */
final class SimulatedDebtors {

  /** What is given on credit. */
  static final CreditTerms TERMS =
      new CreditTerms(Usd.parse("0.012"), Usd.parse("0.008"), Usd.parse("0.014"));

  private static final List<String> PAYERS = List.of("debtor0", "debtor1", "debtor2");

  /**
   * An answer that has begun to leave: what it costs at most, and as soon as that is known, at all.
   */
  private static final class Loan {
    private final SimulatedStream stream;
    private long amount;
    private boolean isOwed;

    Loan(SimulatedStream stream, long amount) {
      this.stream = stream;
      this.amount = amount;
    }
  }

  private final Books books;
  private final SimulatedChain chain;
  private final Witness witness;
  private final Random random;
  private final Clock clock;
  private final Map<Authorization, Loan> loans = new LinkedHashMap<>();
  private int signed;

  SimulatedDebtors(Books books, SimulatedChain chain, Witness witness, Random random, Clock clock) {
    this.books = books;
    this.chain = chain;
    this.witness = witness;
    this.random = random;
    this.clock = clock;
  }

  /** What a payer does next; the calls that it makes by it. */
  List<SimulatedWork> act(List<SimulatedNode> nodes) {
    String payer = PAYERS.get(random.nextInt(PAYERS.size()));
    int what = random.nextInt(24);
    if (what == 0) {
      witness.note(payer + " spends elsewhere what it has");
      chain.drain(payer);
    } else if (what < 10) {
      loans.keySet().stream()
          .filter(ceiling -> ceiling.payer().equals(payer))
          .reduce((earlier, later) -> later)
          .ifPresent(this::revoke);
    }
    Authorization ceiling =
        Authorization.ceiling(
            payer,
            "ceiling" + signed++,
            3_000 + random.nextInt(5_000),
            clock.instant().plusSeconds(60 + random.nextInt(240)));
    SimulatedNode node = nodes.get(random.nextInt(nodes.size()));
    SimulatedStream stream = new SimulatedStream(ceiling, node, chain, this, random, clock);
    witness.note(stream + " is sent");
    return List.of(stream);
  }

  private void revoke(Authorization ceiling) {
    witness.note(ceiling.payer() + " takes back " + ceiling.nonce());
    chain.cancel(ceiling);
  }

  /** An answer begins to leave that may cost so much. */
  void lends(SimulatedStream stream) {
    Authorization ceiling = stream.authorization();
    if (!stream.isOfALivingNode()) {
      return;
    }
    loans.put(ceiling, new Loan(stream, ceiling.amount()));
    long limit = (chain.hasPaid(ceiling.payer()) ? TERMS.payer() : TERMS.stranger()).micros();
    long owed =
        sum(loan -> loan.stream.authorization().payer().equals(ceiling.payer()) && isOut(loan));
    require(owed <= limit, ceiling.payer(), "owes " + owed + ", and may " + limit);
    long inAll = sum(this::isOut);
    require(inAll <= TERMS.inAll().micros(), stream.toString(), "all owe " + inAll + " beside it");
  }

  /**
   * A stream of a node that died is lost with it; what was written down is owed until it is paid.
   */
  private boolean isOut(Loan loan) {
    return loan.isOwed
        ? !chain.hasMoved(loan.stream.authorization().nonce())
        : loan.stream.isOfALivingNode();
  }

  private long sum(Predicate<Loan> which) {
    return loans.values().stream().filter(which).mapToLong(loan -> loan.amount).sum();
  }

  /** Nothing is to be paid for an answer after all. */
  void forgives(SimulatedStream stream) {
    loans.remove(stream.authorization());
  }

  /** It is written down what an answer has used. */
  void owes(SimulatedStream stream, long used) {
    Loan loan = new Loan(stream, used);
    loan.isOwed = true;
    loans.put(stream.authorization(), loan);
  }

  void answered(SimulatedStream stream, String what) {
    witness.note(stream + " -> " + what);
  }

  /** What must hold once everything has come to rest. */
  void conclude() {
    loans.forEach(
        (ceiling, loan) -> {
          Optional<Books.Row> row = books.row(ceiling.key());
          PaymentState end =
              !loan.isOwed
                  ? PaymentState.RELEASED
                  : chain.hasMoved(ceiling.nonce()) ? PaymentState.SETTLED : PaymentState.FAILED;
          require(
              row.filter(it -> it.state() == end).isPresent(),
              ceiling.nonce(),
              "should be " + end + ": " + row);
        });
    for (String payer : PAYERS) {
      long lost =
          sum(
              loan ->
                  loan.isOwed && loan.stream.authorization().payer().equals(payer) && isOut(loan));
      require(lost <= TERMS.payer().micros(), payer, "has had " + lost + " for nothing");
    }
  }
}
