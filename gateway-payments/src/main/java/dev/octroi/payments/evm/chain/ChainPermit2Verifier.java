package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.Usd;
import dev.octroi.payments.chain.RpcConnection.RpcAnswer;
import dev.octroi.payments.chain.RpcConnection.RpcCall;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.TokenDomain;
import dev.octroi.payments.evm.chain.ApprovalFunds.ApprovalJudgement;
import dev.octroi.payments.evm.chain.JsonRpc.Attempt;
import dev.octroi.payments.evm.chain.Multicall3.Call;
import dev.octroi.payments.evm.chain.Multicall3.Result;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.permit2.Permit2Verifier;
import dev.octroi.payments.evm.permit2.Permit2Verifier.PermitRule;
import dev.octroi.payments.evm.permit2.SettleCall;
import dev.octroi.payments.evm.permit2.SignedPermit;
import dev.octroi.payments.evm.permit2.TokenApproval;
import dev.octroi.payments.evm.permit2.TokenPermit;
import dev.octroi.payments.evm.permit2.TokenPermit.Sponsoring;
import dev.octroi.payments.evm.permit2.TransferPermit;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the schemes by Permit2, those that need the chain included, in the protocol's order.
 * What can be judged here is judged first; the rest costs one round trip, or two where a payer
 * whose key signed is a contract all the same. Thread-safe.
 */
public final class ChainPermit2Verifier {

  /** The protocol's reason for a payer who has too little. */
  public static final String BALANCE = "permit2_insufficient_balance";

  private static final String PROXY = "permit2_proxy_not_deployed";
  private static final String SIMULATION = "permit2_simulation_failed";

  private final Permit2Verifier local;
  private final Signatures signatures;
  private final JsonRpc rpc;
  private final Clock clock;
  private final Optional<ApprovalFunds> funds;

  /**
   * Makes the verifier of one chain.
   *
   * @param funds what payers are given for the gas of approvals that they bring along
   */
  public ChainPermit2Verifier(
      Clock clock, Signatures signatures, JsonRpc rpc, Optional<ApprovalFunds> funds) {
    this.local = new Permit2Verifier(clock, signatures);
    this.signatures = signatures;
    this.rpc = rpc;
    this.clock = clock;
    this.funds = funds;
  }

  /**
   * Verifies a payment against this server's own terms.
   *
   * @return valid with what Permit2 may move of the payer's; late where only the chain's state is
   *     against it, for then it may have settled here before; else the first broken rule's reason
   * @throws MalformedPayment if the payload cannot be read
   * @throws ChainUnavailable if the chain cannot be asked
   */
  public Verification verify(PaymentPayload payment, PaymentRequirements terms) {
    long chainId = TokenDomain.chainId(terms.network());
    if (chainId != 0 && chainId != rpc.chainId()) {
      return Permit2Verifier.ofAnotherNetwork(terms);
    }
    Inquiry inquiry = new Inquiry(payment, terms);
    Verification verification = local.verify(payment, terms, inquiry);
    return verification instanceof Verification.Valid valid && inquiry.reading != null
        ? judge(inquiry.reading, valid, terms)
        : verification;
  }

  private static Verification judge(
      PermitReading reading, Verification.Valid valid, PaymentRequirements terms) {
    long spendable = Usd.microsIn(reading.balance().min(reading.allowance()), terms.decimals());
    Verification.Valid payment =
        new Verification.Valid(
            valid.payer(), valid.nonce(), valid.validBefore(), OptionalLong.of(spendable));
    String obstacle = reading.obstacle(new BigInteger(terms.amount()));
    return obstacle == null ? payment : new Verification.Late(obstacle, payment);
  }

  /** One payment's signature, and what the chain said when it was asked about it. */
  private final class Inquiry implements PermitRule {

    private final PaymentPayload payment;
    private final PaymentRequirements terms;
    private @Nullable PermitReading reading;

    Inquiry(PaymentPayload payment, PaymentRequirements terms) {
      this.payment = payment;
      this.terms = terms;
    }

    @Override
    public @Nullable String broken(SignedPermit wrapped, byte[] digest) {
      PermitSignature signed = PermitSignature.of(signatures, wrapped, digest);
      Sponsoring brought =
          Sponsoring.of(payment, terms, wrapped.permit(), clock.instant().getEpochSecond());
      PermitReading said = read(signed, digest, brought.permit());
      reading = said;
      if (!said.assetHasCode()) {
        return ChainEvmVerifier.ASSET;
      }
      boolean isSigned = said.payerHasCode() ? said.accepted() : signed.byKey();
      if (!isSigned || brought.broken() != null) {
        return isSigned ? brought.broken() : BROKEN;
      }
      return funds.isPresent() ? brokenApproval(funds.get(), said, wrapped.permit()) : null;
    }

    /** The rules of an approval that is needed; one that is not paid for counts as none. */
    private @Nullable String brokenApproval(
        ApprovalFunds paying, PermitReading said, TransferPermit permit) {
      TokenApproval.Brought brought = TokenApproval.Brought.of(payment, terms, permit);
      if (brought.approval().isEmpty() || !said.lacksAllowanceAlone(permit.amount())) {
        return brought.broken();
      }
      TokenApproval approval = brought.approval().get();
      ApprovalJudgement judged = paying.judge(permit, approval);
      if (judged.isGiven()) {
        reading = said.allowing(approval.amount());
      }
      return judged.broken();
    }
  }

  private PermitReading read(
      PermitSignature signature, byte[] digest, Optional<TokenPermit> allowing) {
    SignedPermit signed = signature.permit();
    TransferPermit permit = signed.permit();
    EvmAddress payer = permit.from();
    EvmAddress proxy = Permit2.proxy(permit.facilitator() != null);
    List<Call> calls =
        List.of(
            new Call(permit.token(), TokenCalls.balanceOf(payer)),
            new Call(permit.token(), TokenCalls.allowance(payer, Permit2.ADDRESS)),
            new Call(payer, TokenCalls.isValidSignature(digest, signed.signature())));
    Attempt attempt =
        rpc.attempt(
            List.of(
                PaymentReader.simulation(calls),
                PaymentReader.code(payer),
                PaymentReader.code(permit.token()),
                PaymentReader.code(proxy)),
            settlement(signed, allowing, signature.byKey() ? GasLimits.PERMIT : GasLimits.WALLET));
    List<JsonNode> answers = attempt.read();
    boolean payerHasCode = PaymentReader.hasCode(answers.get(1));
    RpcAnswer ended =
        payerHasCode && signature.byKey()
            ? rpc.attempt(List.of(), settlement(signed, allowing, GasLimits.WALLET)).ended()
            : attempt.ended();
    List<Result> results = Multicall3.results(Quantities.bytes(answers.get(0)), calls.size());
    BigInteger allowed = TokenCalls.number(results.get(1));
    return new PermitReading(
        payerHasCode,
        PaymentReader.hasCode(answers.get(2)),
        PaymentReader.hasCode(answers.get(3)),
        TokenCalls.number(results.get(0)),
        allowing.map(TokenPermit::amount).orElse(BigInteger.ZERO).max(allowed),
        allowed,
        PaymentReader.isAcceptance(results.get(2)),
        ended instanceof RpcAnswer.Result,
        PermitFailure.isNamed(ended));
  }

  private static RpcCall settlement(SignedPermit signed, Optional<TokenPermit> allowing, long gas) {
    TransferPermit permit = signed.permit();
    return JsonRpc.transaction(
        Optional.ofNullable(permit.facilitator()),
        Permit2.proxy(permit.facilitator() != null),
        SettleCall.settle(signed, permit.amount(), allowing),
        gas);
  }

  /**
   * What the chain says of one payment at its latest block.
   *
   * @param payerHasCode whether the payer is a contract, or a key that has delegated to one
   * @param assetHasCode whether there is a token at all
   * @param proxyHasCode whether the scheme's proxy is on this chain
   * @param balance what the payer has, in atomic units
   * @param allowance what of it Permit2 may move, or could by what came with the payment
   * @param allowed what it may move now
   * @param accepted whether the payer, as a contract, takes the signature for its own
   * @param settles whether the settlement succeeds in a simulation, or will
   * @param named whether it fails for a reason that the contracts have a name for
   */
  private record PermitReading(
      boolean payerHasCode,
      boolean assetHasCode,
      boolean proxyHasCode,
      BigInteger balance,
      BigInteger allowance,
      BigInteger allowed,
      boolean accepted,
      boolean settles,
      boolean named) {

    /** Whether a payer with a key has all but let Permit2 move its money. */
    boolean lacksAllowanceAlone(BigInteger amount) {
      return proxyHasCode
          && !payerHasCode
          && !named
          && balance.compareTo(amount) >= 0
          && allowed.compareTo(amount) < 0;
    }

    /** The same once Permit2 may move so much. */
    PermitReading allowing(BigInteger amount) {
      return new PermitReading(
          payerHasCode, assetHasCode, proxyHasCode, balance, amount, amount, accepted, true, named);
    }

    /** Where there is no proxy, what is asked of it succeeds and does nothing. */
    @Nullable String obstacle(BigInteger amount) {
      if (!proxyHasCode) {
        return PROXY;
      }
      if (settles) {
        return null;
      }
      if (balance.compareTo(amount) < 0) {
        return BALANCE;
      }
      return allowed.compareTo(amount) < 0 ? PaymentHeaders.ALLOWANCE_MISSING : SIMULATION;
    }
  }

  /**
   * A permit with its signature as Permit2 takes it.
   *
   * @param permit without what would deploy the payer's wallet (ERC-6492), and with the last byte
   *     of a key's signature as contracts know it
   * @param byKey whether the payer's key made the signature
   */
  public record PermitSignature(SignedPermit permit, boolean byKey) {

    static PermitSignature of(Signatures signatures, SignedPermit given, byte[] digest) {
      SignedPermit signed =
          new SignedPermit(given.permit(), DeployingSignature.stripped(given.signature()));
      boolean byKey = signatures.isSignedBy(given.permit().from(), digest, signed.signature());
      return new PermitSignature(byKey ? signed.ofKey() : signed, byKey);
    }

    /** The permit of a payment as it is settled. */
    public static SignedPermit spelled(SignedPermit given, PaymentRequirements terms) {
      byte[] digest = given.permit().digest(TokenDomain.chainId(terms.network()));
      return of(Signatures.fastest(), given, digest).permit();
    }
  }
}
