package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.EvmAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The transactions of one nonce, of which the chain takes one.
 *
 * @param transactions the cheapest first; at least one
 */
record NonceGroup(List<RelayedTransaction> transactions) {

  NonceGroup {
    transactions = List.copyOf(transactions);
  }

  /** Groups what is sorted by relayer and nonce. */
  static List<NonceGroup> of(List<RelayedTransaction> sorted) {
    List<NonceGroup> groups = new ArrayList<>();
    List<RelayedTransaction> current = new ArrayList<>();
    for (RelayedTransaction transaction : sorted) {
      if (!current.isEmpty() && !isSameNonce(current.get(0), transaction)) {
        groups.add(new NonceGroup(current));
        current = new ArrayList<>();
      }
      current.add(transaction);
    }
    if (!current.isEmpty()) {
      groups.add(new NonceGroup(current));
    }
    return groups;
  }

  private static boolean isSameNonce(RelayedTransaction one, RelayedTransaction other) {
    return one.relayer().equals(other.relayer()) && one.nonce() == other.nonce();
  }

  EvmAddress relayer() {
    return dearest().relayer();
  }

  long nonce() {
    return dearest().nonce();
  }

  /** The one that the chain would take. */
  RelayedTransaction dearest() {
    return transactions.get(transactions.size() - 1);
  }

  List<String> hashes() {
    return transactions.stream().map(RelayedTransaction::hash).toList();
  }
}
