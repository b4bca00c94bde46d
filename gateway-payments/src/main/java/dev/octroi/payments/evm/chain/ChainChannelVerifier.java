package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.Usd;
import dev.octroi.payments.chain.RpcConnection.RpcAnswer;
import dev.octroi.payments.chain.RpcConnection.RpcCall;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.chain.ApprovalFunds.ApprovalJudgement;
import dev.octroi.payments.evm.chain.ChannelReader.ChannelReading;
import dev.octroi.payments.evm.chain.JsonRpc.Attempt;
import dev.octroi.payments.evm.chain.Multicall3.Call;
import dev.octroi.payments.evm.chain.Multicall3.Result;
import dev.octroi.payments.evm.channel.BatchSettlement;
import dev.octroi.payments.evm.channel.ChannelCalls;
import dev.octroi.payments.evm.channel.ChannelConfig;
import dev.octroi.payments.evm.channel.ChannelDeposit;
import dev.octroi.payments.evm.channel.ChannelPayload;
import dev.octroi.payments.evm.channel.ChannelVerifier;
import dev.octroi.payments.evm.channel.PermitDeposit;
import dev.octroi.payments.evm.channel.TokenDeposit;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.permit2.TokenApproval.Brought;
import dev.octroi.payments.evm.permit2.TokenPermit.Sponsoring;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the scheme batch-settlement, those that need the chain included. A deposit costs one
 * round trip, a voucher none as long as what was read of its channel is fresh. Thread-safe.
 */
public final class ChainChannelVerifier {

  /**
   * The reason where the payer itself signs vouchers, rather than a key that the channel names: its
   * account may become a contract that takes them for its own no longer (EIP-7702).
   */
  private static final String UNSAFE = BatchSettlement.PREFIX + "voucher_signature";

  private static final ApprovalJudgement NOT_GIVEN = new ApprovalJudgement(null, false);

  private final ChannelVerifier local;
  private final Clock clock;
  private final JsonRpc rpc;
  private final ChannelReader reader;
  private final EvmAddress relayer;
  private final Optional<ApprovalFunds> funds;

  /**
   * Makes the verifier of one chain.
   *
   * @param relayer who would send a deposit
   */
  public ChainChannelVerifier(
      Clock clock, Signatures signatures, JsonRpc rpc, ChannelReader reader, EvmAddress relayer) {
    this(clock, signatures, rpc, reader, relayer, Optional.empty());
  }

  /**
   * The same.
   *
   * @param funds what payers are given for the gas of approvals that they bring along
   */
  public ChainChannelVerifier(
      Clock clock,
      Signatures signatures,
      JsonRpc rpc,
      ChannelReader reader,
      EvmAddress relayer,
      Optional<ApprovalFunds> funds) {
    this.local = new ChannelVerifier(clock, signatures);
    this.clock = clock;
    this.rpc = rpc;
    this.reader = reader;
    this.relayer = relayer;
    this.funds = funds;
  }

  /**
   * Verifies a payment against this server's own terms.
   *
   * @return valid with what the contract holds for the channel and this payment brings; late where
   *     only the chain's state is against it, for then it may have settled here before; what is
   *     asked back; or the reason of the first broken rule
   * @throws MalformedPayment if the payload cannot be read
   * @throws ChainUnavailable if the chain must be asked and cannot
   */
  public Verification verify(PaymentPayload payment, PaymentRequirements terms) {
    if (!terms.network().equals("eip155:" + rpc.chainId())) {
      return new Verification.Invalid(BatchSettlement.PREFIX + "network_mismatch", null);
    }
    Verification verification = local.verify(payment, terms);
    if (!(verification instanceof Verification.Valid valid)) {
      return verification;
    }
    ChannelPayload read = ChannelPayload.read(payment.payload()).orElseThrow();
    if (!read.config().payerAuthorizer().equals(read.config().voucherSigner())) {
      return new Verification.Invalid(UNSAFE, valid.payer());
    }
    ChannelUse use = valid.channel().orElseThrow();
    ChannelDeposit deposit = read.deposit();
    if (deposit != null) {
      SponsoredDeposit sponsored = sponsored(deposit, payment, terms);
      String broken = sponsored.broken();
      return broken == null
          ? deposit(read, sponsored, valid, use, terms.decimals())
          : new Verification.Invalid(broken, valid.payer());
    }
    ChannelReading reading = reader.of(use.id(), read.voucher().maxClaimable());
    return outOf(valid, use, reading, BigInteger.ZERO, OptionalLong.empty(), terms.decimals());
  }

  private SponsoredDeposit sponsored(
      ChannelDeposit deposit, PaymentPayload payment, PaymentRequirements terms) {
    return new SponsoredDeposit(
        deposit,
        deposit.sponsoring(payment, terms, clock.instant().getEpochSecond()),
        funds.isPresent() ? deposit.approval(payment, terms) : Brought.NONE);
  }

  /**
   * A deposit, and what its payment brings along.
   *
   * @param sponsoring what its token is told first
   * @param approval what its payer sends first
   */
  private record SponsoredDeposit(ChannelDeposit deposit, Sponsoring sponsoring, Brought approval) {

    @Nullable String broken() {
      return sponsoring.broken() == null ? approval.broken() : sponsoring.broken();
    }

    BigInteger amount() {
      return deposit.amount();
    }

    byte[] calldata(ChannelConfig config) {
      return ChannelCalls.deposit(config, deposit, sponsoring.permit());
    }

    /** Why it cannot be taken now, by what Permit2 may move of what the payer has. */
    String obstacle(BigInteger balance, BigInteger allowed) {
      boolean isAllowed =
          deposit instanceof TokenDeposit
              || sponsoring.permit().isPresent()
              || allowed.compareTo(amount()) >= 0;
      if (!isAllowed) {
        return ChannelUse.NO_ALLOWANCE;
      }
      return balance.compareTo(amount()) < 0 ? ChannelUse.NO_FUNDS : ChannelUse.NO_DEPOSIT;
    }
  }

  private Verification deposit(
      ChannelPayload read,
      SponsoredDeposit sponsored,
      Verification.Valid valid,
      ChannelUse use,
      int decimals) {
    byte[] id = read.voucher().channelId();
    EvmAddress payer = read.config().payer();
    EvmAddress token = read.config().token();
    List<Call> calls =
        List.of(
            new Call(token, TokenCalls.balanceOf(payer)),
            new Call(token, TokenCalls.allowance(payer, Permit2.ADDRESS)),
            new Call(BatchSettlement.ADDRESS, ChannelCalls.channels(id)),
            new Call(BatchSettlement.ADDRESS, ChannelCalls.pendingWithdrawals(id)));
    Attempt attempt =
        rpc.attempt(
            List.of(PaymentReader.simulation(calls), PaymentReader.code(payer)),
            made(sponsored, read.config(), GasLimits.PERMIT));
    boolean payerHasCode = PaymentReader.hasCode(attempt.read().get(1));
    RpcAnswer ended =
        payerHasCode
            ? rpc.attempt(List.of(), made(sponsored, read.config(), GasLimits.WALLET)).ended()
            : attempt.ended();
    JsonNode answer = attempt.read().get(0);
    List<Result> said = Multicall3.results(Quantities.bytes(answer), calls.size());
    ChannelReading now = ChannelReader.reading(said.get(2), said.get(3), valid.validBefore());
    BigInteger balance = TokenCalls.number(said.get(0));
    OptionalLong funds = OptionalLong.of(Usd.microsIn(balance, decimals));
    Verification.Valid payment = outOf(valid, use, now, sponsored.amount(), funds, decimals);
    if (!(ended instanceof RpcAnswer.Result)) {
      String obstacle = sponsored.obstacle(balance, TokenCalls.number(said.get(1)));
      boolean lacksAllowanceAlone =
          obstacle.equals(ChannelUse.NO_ALLOWANCE)
              && balance.compareTo(sponsored.amount()) >= 0
              && !payerHasCode
              && !PermitFailure.isNamed(ended);
      ApprovalJudgement judged = lacksAllowanceAlone ? judged(sponsored) : NOT_GIVEN;
      if (judged.broken() != null) {
        return new Verification.Invalid(judged.broken(), valid.payer());
      }
      if (!judged.isGiven()) {
        return new Verification.Late(obstacle, payment);
      }
    }
    reader.forget(use.id());
    return payment;
  }

  private RpcCall made(SponsoredDeposit sponsored, ChannelConfig config, long gas) {
    byte[] data = sponsored.calldata(config);
    return JsonRpc.transaction(Optional.of(relayer), BatchSettlement.ADDRESS, data, gas);
  }

  private ApprovalJudgement judged(SponsoredDeposit sponsored) {
    return sponsored.deposit() instanceof PermitDeposit deposit
            && sponsored.approval().approval().isPresent()
        ? funds.orElseThrow().judge(deposit, sponsored.approval().approval().get())
        : NOT_GIVEN;
  }

  private static Verification.Valid outOf(
      Verification.Valid valid,
      ChannelUse use,
      ChannelReading reading,
      BigInteger deposit,
      OptionalLong funds,
      int decimals) {
    BigInteger held = BigInteger.valueOf(reading.spendable()).add(deposit);
    long claimed = Usd.microsIn(BigInteger.valueOf(reading.claimed()), decimals);
    return valid.outOf(use.onChain(claimed, funds), Usd.microsIn(held, decimals));
  }
}
