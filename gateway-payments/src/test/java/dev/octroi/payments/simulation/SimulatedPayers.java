package dev.octroi.payments.simulation;

import static dev.octroi.payments.simulation.Witness.require;

import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.Channels;
import dev.octroi.payments.ledger.Channels.ChannelState;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.simulation.SimulatedContract.Held;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Payers of channels who try everything, and a bookkeeper who knows what they signed, what they
 * were served and what the contract holds.
 */
final class SimulatedPayers {

  private static final List<String> CHANNELS =
      List.of("0x" + "c1".repeat(32), "0x" + "c2".repeat(32));

  private static final String PAYER = "0x" + "ca".repeat(20);
  private static final int CROWD = 6;

  /** A call that was taken, and whose payer still wants its answer. */
  private record Wish(Voucher voucher, String path) {}

  private final Books books;
  private final SimulatedChain chain;
  private final SimulatedContract contract;
  private final Witness witness;
  private final Random random;
  private final Clock clock;
  private final Map<String, Long> counts = new HashMap<>();
  private final Map<String, Long> highest = new HashMap<>();
  private final List<Voucher> signed = new ArrayList<>();
  private final Set<Wish> wishes = new LinkedHashSet<>();
  private final Map<PaymentKey, Long> receipts = new HashMap<>();
  private final Map<PaymentKey, Voucher> served = new HashMap<>();
  private final Map<String, SimulatedChannelCall> running = new HashMap<>();

  SimulatedPayers(Books books, SimulatedChain chain, Witness witness, Random random, Clock clock) {
    this.books = books;
    this.chain = chain;
    this.contract = chain.contract();
    this.witness = witness;
    this.random = random;
    this.clock = clock;
  }

  /** What a payer does next; the calls that it makes by it. */
  List<SimulatedWork> act(List<SimulatedNode> nodes, List<String> paths) {
    String channel = CHANNELS.get(random.nextInt(CHANNELS.size()));
    int what = random.nextInt(24);
    List<SimulatedWork> made = new ArrayList<>();
    if (what < 3 && !signed.isEmpty()) {
      made.add(call(any(signed), any(paths), any(nodes)));
    } else if (what < 5) {
      for (int i = 0; i < CROWD; i++) {
        made.add(call(sign(channel, count(channel), price()), paths.get(0), any(nodes)));
      }
    } else if (what < 9) {
      Voucher voucher = sign(channel, count(channel), price());
      nodes.forEach(node -> made.add(call(voucher, any(paths), node)));
    } else if (what < 11) {
      made.add(new SimulatedChannelRefund(channel, count(channel), any(nodes), chain, this, clock));
    } else if (what < 13) {
      withdraw(channel, any(nodes));
    } else if (what < 15) {
      long left = Math.max(0, held(channel).balance() - count(channel));
      made.add(call(bare(channel, count(channel), left + 1), paths.get(0), any(nodes)));
    } else if (what < 16) {
      long wrong = Math.max(0, count(channel) + random.nextInt(2_000) - 1_000);
      made.add(call(sign(channel, wrong, price()), paths.get(0), any(nodes)));
    } else {
      made.add(call(sign(channel, count(channel), price()), paths.get(0), any(nodes)));
    }
    return made;
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private long price() {
    return 500 + random.nextInt(2_500);
  }

  private long count(String channel) {
    return counts.getOrDefault(channel, 0L);
  }

  private Held held(String channel) {
    return contract.of(channel);
  }

  private SimulatedChannelCall call(Voucher voucher, String path, SimulatedNode node) {
    SimulatedChannelCall call =
        new SimulatedChannelCall(voucher, path, node, chain, this, random, clock);
    witness.note(call + " is sent");
    return call;
  }

  /** Channels are there before all goes wrong. */
  void open(SimulatedNode node) {
    for (String channel : CHANNELS) {
      SimulatedChannelCall first = call(sign(channel, 0, price()), "/first", node);
      while (!first.isDone()) {
        first.go();
      }
    }
  }

  /** A voucher, with a deposit where one is needed and sometimes else; perhaps an old one. */
  private Voucher sign(String channel, long before, long price) {
    boolean needed = held(channel).spendable() < before + price;
    if (!needed && random.nextInt(8) > 0) {
      return bare(channel, before, price);
    }
    long number = random.nextInt(8) == 0 ? random.nextInt(1 + signed.size()) : signed.size();
    Authorization deposit =
        Authorization.deposit(
            PAYER,
            "0x%s%062x".formatted(channel.substring(2, 4), 1 + number),
            5_000 + random.nextInt(10_000),
            clock.instant().plusSeconds(20 + random.nextInt(20)),
            new Authorization.Into(channel, before + price));
    return signed(new Voucher(channel, PAYER, before, price, Optional.of(deposit)));
  }

  private Voucher bare(String channel, long before, long price) {
    return signed(new Voucher(channel, PAYER, before, price, Optional.empty()));
  }

  private Voucher signed(Voucher voucher) {
    highest.merge(voucher.channel(), voucher.permits(), Math::max);
    signed.add(voucher);
    return voucher;
  }

  /** The payer begins to take back what is there, or takes what it began to. */
  private void withdraw(String channel, SimulatedNode node) {
    if (!chain.isAway() && !contract.isWithdrawing(channel)) {
      witness.note(channel + " begins to be withdrawn");
      contract.withdraw(channel);
    } else {
      finish(channel, node);
    }
  }

  /** Nodes decide, claim and end their calls in far less time than a withdrawal takes. */
  private void finish(String channel, SimulatedNode node) {
    SimulatedChannelCall call = running.get(channel);
    boolean isRunning = call != null && !call.isDone() && call.isOfALivingNode();
    if (chain.isAway() || isRunning || !contract.isDue(channel)) {
      return;
    }
    node.decide();
    node.claim();
    if (!chain.isPayingOut()) {
      witness.note(channel + " is withdrawn");
      contract.finish(channel);
    }
  }

  /** The payers that began to withdraw take what is there. */
  void finish(SimulatedNode node) {
    CHANNELS.forEach(channel -> finish(channel, node));
  }

  /** A call's voucher was taken: no other call is paid out of the channel meanwhile. */
  void begins(SimulatedChannelCall call) {
    wishes.add(new Wish(call.voucher(), call.path()));
    if (!call.isOfALivingNode()) {
      return;
    }
    SimulatedChannelCall other = running.put(call.voucher().channel(), call);
    require(
        other == null || other.isDone() || !other.isOfALivingNode(),
        call.toString(),
        "the channel is held already, by " + other);
  }

  void ends(SimulatedChannelCall call) {
    running.remove(call.voucher().channel(), call);
  }

  /** The answer of before is about to leave again; what it says was charged. */
  long replayed(SimulatedChannelCall call, String answer) {
    String[] parts = answer.split(" ");
    require(parts[0].equals(call.path()), call.toString(), "is answered with " + answer);
    return Long.parseLong(parts[1]);
  }

  void served(SimulatedChannelCall call, long charge) {
    Voucher voucher = call.voucher();
    witness.note(call + " -> 200, charged " + charge);
    Long before = receipts.put(voucher.key(), charge);
    require(before == null || before == charge, call.toString(), "charged twice, first " + before);
    served.put(voucher.key(), voucher);
    counts.merge(voucher.channel(), voucher.before() + charge, Math::max);
    wishes.remove(new Wish(voucher, call.path()));
    look(voucher.channel());
  }

  void answered(SimulatedChannelCall call, int status, String reason) {
    witness.note(call + " -> " + status + " " + reason);
    if (status == 502 || status == 504) {
      wishes.remove(new Wish(call.voucher(), call.path()));
    }
    if (status != 402 || reason.equals(ChannelUse.BUSY)) {
      return;
    }
    Voucher voucher = call.voucher();
    Optional<Books.Row> row = books.row(voucher.key()).filter(it -> it.path().equals(call.path()));
    require(row.filter(Books.Row::isUnresolved).isEmpty(), call.toString(), "402 while in doubt");
    boolean owed =
        row.filter(it -> it.state() == PaymentState.SETTLED && !it.delivered()).isPresent();
    require(!owed || receipts.containsKey(voucher.key()), call.toString(), "owed, yet " + row);
    wishes.remove(new Wish(voucher, call.path()));
  }

  /** A payer that counted otherwise believes what its own signature covers. */
  void corrected(String channel, Channels channels) {
    Optional<ChannelState> state = channels.find(Voucher.NETWORK, channel);
    state.ifPresent(
        told -> {
          require(told.charged() <= told.signed(), channel, "states more than was signed: " + told);
          counts.put(channel, told.charged());
        });
    look(channel);
  }

  /** What must hold of a channel at every instant. */
  private void look(String channel) {
    Books.ChannelRow row = books.channel(channel).orElse(null);
    if (row == null) {
      return;
    }
    long most = highest.getOrDefault(channel, 0L);
    require(row.charged() <= most, channel, "charged more than " + most + ": " + row);
    require(row.charged() <= row.signed(), channel, "charged more than its voucher: " + row);
    requireSigned(channel, row.signed(), row.signature());
    requireSigned(channel, row.promised(), row.promise());
    long sold =
        served.values().stream()
            .filter(it -> it.channel().equals(channel))
            .mapToLong(Voucher::permits)
            .max()
            .orElse(0);
    require(
        Math.max(row.signed(), row.promised()) >= sold,
        channel,
        "the voucher of " + sold + " is lost: " + row);
  }

  private static void requireSigned(String channel, long permitted, byte @Nullable [] signature) {
    require(
        permitted == 0 || Arrays.equals(signature, Voucher.signature(channel, permitted)),
        channel,
        "its payer did not sign " + permitted + " so");
  }

  /** Those who still want something ask again. */
  List<SimulatedWork> again(SimulatedNode node) {
    List<SimulatedWork> made = new ArrayList<>();
    List.copyOf(wishes).forEach(wish -> made.add(call(wish.voucher(), wish.path(), node)));
    return made;
  }

  /** What must hold once everything has come to rest. */
  void conclude() {
    for (String channel : CHANNELS) {
      look(channel);
      Optional<Books.ChannelRow> row = books.channel(channel);
      long sold =
          receipts.entrySet().stream()
              .filter(receipt -> receipt.getKey().payer().equals(channel))
              .filter(receipt -> !isLoss(receipt.getKey()))
              .mapToLong(Map.Entry::getValue)
              .sum();
      long charged = row.map(Books.ChannelRow::charged).orElse(0L);
      long claimed = row.map(Books.ChannelRow::claimed).orElse(0L);
      Held held = contract.of(channel);
      require(charged == sold, channel, "charged " + charged + ", sold for " + sold);
      require(row.filter(Books.ChannelRow::isHeld).isEmpty(), channel, "is held for good: " + row);
      require(
          claimed == charged && held.claimed() == charged,
          channel,
          "charged " + charged + ", claimed " + claimed + ", the contract says " + held);
    }
  }

  /** An answer may leave while its deposit is on its way, which is a loss if it never arrives. */
  private boolean isLoss(PaymentKey key) {
    return books
        .row(key)
        .filter(row -> row.state() == PaymentState.FAILED && row.sent())
        .isPresent();
  }

  /** What the contract has given to the seller. */
  long received() {
    return CHANNELS.stream().mapToLong(channel -> contract.of(channel).claimed()).sum();
  }
}
