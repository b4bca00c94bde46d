package dev.octroi.payments.simulation;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.ledger.LedgerUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** One seed's world: two nodes, a chain, clients, and everything that can go wrong between them. */
final class Simulation {

  private static final int EVENTS = 160;
  private static final int MOST_PAYMENTS = 14;
  private static final int MOST_STEPS = 6;
  private static final int SHARE = 10;
  private static final String PATH = "/read";
  private static final String ELSEWHERE = "/elsewhere";

  /** Who there is beside the payers of single calls: the rules hold for all at once. */
  enum World {
    CALLS,
    CHANNELS,
    CREDIT,
    BOTH;

    /** Every tenth world has more than single payments, which costs about as much again. */
    static World of(long seed) {
      return seed % SHARE == SHARE - 1
          ? values()[1 + (int) (seed / SHARE % (values().length - 1))]
          : CALLS;
    }

    boolean hasChannels() {
      return this == CHANNELS || this == BOTH;
    }

    boolean hasCredit() {
      return this == CREDIT || this == BOTH;
    }
  }

  private final Books books;
  private final Random random;
  private final SimulatedClock clock = new SimulatedClock();
  private final SimulatedChain chain;
  private final SimulatedVendor vendor;
  private final Witness witness;
  private final SimulatedPayers payers;
  private final SimulatedDebtors debtors;
  private final World world;
  private final List<SimulatedNode> nodes = new ArrayList<>();
  private final List<SimulatedWork> calls = new ArrayList<>();

  private Simulation(Books books, long seed) {
    this.books = books;
    this.random = new Random(seed);
    this.chain = new SimulatedChain(random, clock);
    this.vendor = new SimulatedVendor(random);
    this.witness = new Witness(books, chain, vendor);
    this.payers = new SimulatedPayers(books, chain, witness, random, clock);
    this.debtors = new SimulatedDebtors(books, chain, witness, random, clock);
    this.world = World.of(seed);
  }

  /** Runs a seed; throws {@link AssertionError} with all that happened if a rule was broken. */
  static void run(Books books, long seed) {
    new Simulation(books, seed).run(seed);
  }

  private void run(long seed) {
    books.empty(clock);
    try {
      for (String name : List.of("a", "b")) {
        nodes.add(new SimulatedNode(name, books.database(), chain, vendor, clock, world));
      }
      if (world.hasChannels()) {
        payers.open(nodes.get(0));
      }
      for (int i = 0; i < EVENTS; i++) {
        event();
        witness.look();
      }
      heal();
      conclude();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "Seed %d (replay it with -Doctroi.simulation.seed=%d): %s%n%s"
              .formatted(seed, seed, e.getMessage(), String.join("\n", witness.log())),
          e);
    } finally {
      nodes.forEach(SimulatedNode::close);
    }
  }

  private void conclude() {
    payers.conclude();
    witness.conclude(payers.received());
    debtors.conclude();
    if (world != World.CALLS) {
      String differences = books.differences(clock);
      Witness.require(differences.equals("[]"), "the books", differences);
    }
  }

  private void event() {
    if (world != World.CALLS && chain.isAway() && random.nextInt(5) == 0) {
      chain.away(false);
    }
    int what = random.nextInt(100);
    if (what < 50) {
      aCallGoesOn();
    } else if (what < 68) {
      aClientSends();
    } else if (what < 80) {
      clock.pass(Duration.ofMillis(random.nextInt(15_000)));
    } else if (what < 88) {
      aNodeDecides();
    } else if (what < 91) {
      aNodeDies();
    } else if (what < 93) {
      aNodeStalls();
    } else if (what < 96) {
      aCallIsSwept();
    } else if (what < 98) {
      chain.away(!chain.isAway());
    } else {
      any(witness.authorizations()).ifPresent(chain::cancel);
    }
  }

  private <T> Optional<T> any(List<T> all) {
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
  }

  private SimulatedNode node() {
    return nodes.get(random.nextInt(nodes.size()));
  }

  private void aCallGoesOn() {
    any(calls)
        .ifPresent(
            call -> {
              boolean lives = true;
              int steps = call instanceof SimulatedCall ? 1 : 1 + random.nextInt(MOST_STEPS);
              for (int i = 0; i < steps && lives && !call.isDone(); i++) {
                witness.note(call.toString());
                lives = call.go();
              }
              if (call.isDone()) {
                calls.remove(call);
              }
              if (!lives) {
                dies(call.node());
              }
            });
  }

  /** A new payment, or an old one again, wanted or not; sometimes twice at once. */
  private void aClientSends() {
    if (world.hasChannels() && random.nextInt(2) == 0) {
      calls.addAll(payers.act(nodes, List.of(PATH, ELSEWHERE)));
      return;
    }
    if (world.hasCredit() && random.nextInt(2) == 0) {
      calls.addAll(debtors.act(nodes));
      return;
    }
    List<Authorization> old = witness.authorizations();
    boolean fresh = old.size() < MOST_PAYMENTS && random.nextInt(3) > 0;
    Authorization authorization = fresh ? sign(old.size()) : any(old).orElseGet(() -> sign(0));
    if (witness.wants(authorization) || random.nextInt(3) == 0) {
      for (int times = 1 + random.nextInt(2); times > 0; times--) {
        SimulatedNode node = node();
        String path = random.nextInt(8) == 0 ? ELSEWHERE : PATH;
        calls.add(new SimulatedCall(authorization, path, node, chain, witness, random));
      }
    }
  }

  private Authorization sign(int number) {
    Authorization authorization =
        Authorization.exact(
            "payer" + random.nextInt(3),
            "nonce" + number,
            clock.instant().plusSeconds(60 + random.nextInt(240)),
            random.nextInt(12) == 0,
            Redelivery.values()[random.nextInt(3)],
            random.nextBoolean() ? Optional.of(Books.API_KEY) : Optional.empty());
    witness.signed(authorization);
    return authorization;
  }

  private void aNodeDecides() {
    node().decide();
  }

  /** Killed and started again: its calls are gone, and their clients hear nothing. */
  private void aNodeDies() {
    dies(node());
  }

  private void dies(SimulatedNode node) {
    witness.note(node.name() + " dies");
    calls.removeIf(call -> call.diesWith(node));
    node.start();
  }

  /** Others take its claims over; then its calls go on, as if nothing had happened. */
  private void aNodeStalls() {
    SimulatedNode node = node();
    witness.note(node.name() + " stalls");
    books.expire(node.name());
    node.start();
  }

  /** The call loses its claim, often to a rival that wants something else for the same money. */
  private void aCallIsSwept() {
    any(calls.stream()
            .filter(SimulatedCall.class::isInstance)
            .map(SimulatedCall.class::cast)
            .filter(SimulatedCall::holdsAClaim)
            .toList())
        .ifPresent(
            call -> {
              witness.note(call + " is swept");
              try {
                call.loseToTheSweeper();
              } catch (LedgerUnavailable e) {
                witness.note("in vain");
              }
              if (random.nextBoolean()) {
                aRivalClaims(call.rival(PATH, ELSEWHERE));
              }
            });
  }

  private void aRivalClaims(SimulatedCall rival) {
    witness.note(rival + " is sent");
    rival.go();
    rival.go();
    if (!rival.isDone()) {
      calls.add(rival);
    }
  }

  /** All goes well for long enough, and every client who still wants something asks again. */
  private void heal() {
    witness.note("all goes well from now on");
    chain.away(false);
    vendor.calm();
    while (!calls.isEmpty()) {
      aCallGoesOn();
    }
    nodes.forEach(node -> books.expire(node.name()));
    nodes.forEach(SimulatedNode::start);
    pass();
    payers.finish(nodes.get(0));
    for (int times = 0; times < 8; times++) {
      calls.addAll(payers.again(nodes.get(1)));
      while (!calls.isEmpty()) {
        aCallGoesOn();
      }
    }
    for (Authorization authorization : witness.authorizations()) {
      for (int times = 0; times < 8 && witness.wants(authorization); times++) {
        calls.add(new SimulatedCall(authorization, PATH, nodes.get(1), chain, witness, random));
        while (!calls.isEmpty()) {
          aCallGoesOn();
        }
      }
    }
    pass();
  }

  private void pass() {
    for (int minutes = 0; minutes < 10; minutes++) {
      clock.pass(Duration.ofMinutes(1));
      nodes.get(0).decide();
    }
  }
}
