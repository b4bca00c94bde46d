package dev.octroi.payments;

import java.security.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The payment of the call that is being served, as the caller's identity: the name of the principal
 * is the payer's address.
 *
 * <p>A resource method receives it by {@code @Context SecurityContext} and {@link #of}, which works
 * on every JAX-RS implementation without dependency injection; a servlet by {@code
 * HttpServletRequest#getUserPrincipal}.
 */
public interface Payment extends Principal {

  /** Request property with the {@link Instant} of {@link #deadline}. */
  String DEADLINE = "dev.octroi.payments.deadline";

  /**
   * Response header of a success that is not charged (a pending job, say): the payment is given
   * back, and the header is taken off before the answer leaves.
   */
  String UNCHARGED = "X-Octroi-Uncharged";

  /**
   * Response header of a redirect that is an answer, and charged like a success; it is taken off
   * before the answer leaves.
   */
  String CHARGED = "X-Octroi-Charged";

  /**
   * Name of a response header that marks a stream whose cost is known when it ends: calls that
   * {@linkplain #chargesUse charge their use} are charged then, what {@link #charge} stated; it is
   * taken off before the answer.
   */
  String METERED = "X-Octroi-Metered";

  /**
   * Name of a response header by which a metered answer states its charge (x402, upto): {@code
   * {"amount":X}}, where X is the token's units, a share of the quote such as {@code "33.33%"}, or
   * dollars such as {@code "$0.05"}; it is taken off before the answer.
   */
  String OVERRIDES = "Settlement-Overrides";

  /** The response headers that are said to the gate and not to the caller. */
  List<String> MARKS = List.of(UNCHARGED, CHARGED, METERED, OVERRIDES);

  /** The payer's address in the form of its chain (EIP-55 on EVM). */
  String payer();

  /**
   * The id of the account that calls by API key, which may pay from several wallets; empty for a
   * payer that signs for itself.
   */
  default Optional<String> account() {
    return Optional.empty();
  }

  /**
   * Who owns what this call makes: {@code account:} and the account's id for calls by API key, else
   * the payer.
   */
  default String owner() {
    return account().map(Deferral::owner).orElseGet(this::payer);
  }

  /** The network the payer pays on, as CAIP-2 id. */
  String network();

  /** What this call was quoted at. */
  Usd quote();

  /**
   * The ledger's identifier of the payment, unguessable, stable over retries of the same
   * authorization.
   */
  String id();

  /** What this payment pays for now: work that has one payment is taken by it (money rule 9). */
  PaymentUse use();

  /**
   * What the payer sent in the payment header, to be {@linkplain Deferral#submitted submitted}
   * later; at most 16 KiB. Empty for calls by API key, for which a wallet signs anew.
   */
  Optional<String> envelope();

  /** Whether the money has moved: after {@link #settle}, and where the method is run again. */
  boolean isSettled();

  /**
   * The transaction that moved the money, or is on its way to.
   *
   * @throws IllegalStateException if it {@linkplain #isSettled has not settled}
   */
  String transaction();

  /**
   * When the call must have ended: never later than the authorization's remaining life less 10
   * seconds. An answer after it may go uncharged and undelivered.
   */
  Instant deadline();

  /**
   * States what the call really cost, before it is settled: a call that {@linkplain #chargesUse
   * charges its use} is charged this and not the quote that was reserved (money rule 7).
   *
   * @param actual at most the quote; zero gives the payment back, where it is charged at the end of
   *     a stream that came to nothing
   * @return what will be charged
   * @throws IllegalStateException if the money has moved
   */
  default Usd charge(Usd actual) {
    return quote();
  }

  /**
   * Whether the payer is charged what {@link #charge} states: by API key, and where the payer has
   * signed a ceiling (scheme {@code upto}). Who has signed the quote is charged that, and so is a
   * managed wallet on a chain whose payments cannot be signed again.
   */
  default boolean chargesUse() {
    return false;
  }

  /**
   * What the tariff has {@linkplain PricedRequest#note noted} about this call, if it is of a type.
   */
  default <T> Optional<T> noted(Class<T> type) {
    return Optional.empty();
  }

  /**
   * Moves the money now: for {@link Settle#BEFORE} methods, right before the effect. Returns once
   * settlement is durable.
   *
   * @throws CallRefused with the answer to give when it failed (402) or is in doubt (503)
   */
  void settle();

  @Override
  default String getName() {
    return payer();
  }

  /** The payment of the current call; empty on free methods. */
  static Optional<Payment> of(@Nullable Principal caller) {
    return caller instanceof Payment payment ? Optional.of(payment) : Optional.empty();
  }
}
