package dev.octroi.payments.evm.relay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.PermitNonce;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.chain.DepositProof;
import dev.octroi.payments.evm.chain.GasLimits;
import dev.octroi.payments.evm.chain.Multicall3;
import dev.octroi.payments.evm.chain.PaidTransfer;
import dev.octroi.payments.evm.chain.TokenCalls;
import dev.octroi.payments.evm.channel.BatchSettlement;
import dev.octroi.payments.evm.channel.ChannelCalls;
import dev.octroi.payments.evm.channel.ChannelCalls.DepositTerms;
import dev.octroi.payments.evm.channel.ChannelConfig;
import dev.octroi.payments.evm.channel.ChannelDeposit;
import dev.octroi.payments.evm.channel.PermitDeposit;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.permit2.SettleCall;
import dev.octroi.payments.evm.permit2.SignedPermit;
import dev.octroi.payments.evm.permit2.TokenPermit;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * A payment as the contract takes it that moves its money: calldata, the very bytes that the
 * verifier simulated, from which the payment's terms can be read back.
 */
sealed interface TransferCall {

  /** Authorizations may say that they hold for ages; the database counts to a certain year. */
  BigInteger LATEST = BigInteger.valueOf(Instant.parse("9000-01-01T00:00:00Z").getEpochSecond());

  /** What was stored for a chain, of whichever method. */
  static TransferCall of(EvmAddress token, byte[] data, long chainId) {
    if (ChannelCalls.isDeposit(data)) {
      return new DepositCall(token, data, DepositTerms.read(data, chainId).orElseThrow());
    }
    if (ChannelCalls.isPayout(data)) {
      return new PayoutCall(token, data);
    }
    return SettleCall.read(data)
        .<TransferCall>map(terms -> new PermitCall(token, data, terms))
        .orElseGet(() -> new AuthorizationCall(token, data));
  }

  /** By the token itself. */
  static TransferCall of(EvmAddress token, SignedAuthorization signed) {
    return new AuthorizationCall(token, TokenCalls.transfer(signed));
  }

  /**
   * By Permit2.
   *
   * @param amount what is charged of it, in the upto scheme
   * @param allowance what the token is told first
   */
  static TransferCall of(SignedPermit signed, BigInteger amount, Optional<TokenPermit> allowance) {
    byte[] data = SettleCall.settle(signed, amount, allowance);
    return new PermitCall(signed.permit().token(), data, SettleCall.read(data).orElseThrow());
  }

  /**
   * Into a channel.
   *
   * @param allowance what the token is told first
   */
  static TransferCall of(
      ChannelConfig config, ChannelDeposit deposit, Optional<TokenPermit> allowance, long chainId) {
    byte[] data = ChannelCalls.deposit(config, deposit, allowance);
    return new DepositCall(config.token(), data, DepositTerms.read(data, chainId).orElseThrow());
  }

  /** The token's contract. */
  EvmAddress token();

  /** The calldata. */
  byte[] data();

  /** The contract that is called. */
  EvmAddress target();

  /** How much gas it is given where the payer's account has no code. */
  long gas();

  /** Whether it may go out with others: then its own pair of logs proves it (money rule 10). */
  default boolean isForBatches() {
    return false;
  }

  /** What it moves, and until when. */
  Moved moved();

  /**
   * What a call moves.
   *
   * @param amount atomic units
   * @param validBefore the second from which on it moves nothing any more, in Unix seconds
   * @param nonce the nonce of the payment's key
   */
  record Moved(
      EvmAddress payer,
      EvmAddress payTo,
      BigInteger amount,
      BigInteger validBefore,
      byte[] nonce) {}

  default EvmAddress payer() {
    return moved().payer();
  }

  /** Whose payment it is in the database: its payer's, or a channel's. */
  default byte[] owner() {
    return Hex.parse(payer().lowerCase());
  }

  default EvmAddress payTo() {
    return moved().payTo();
  }

  default BigInteger amount() {
    return moved().amount();
  }

  default BigInteger validBefore() {
    return moved().validBefore();
  }

  default byte[] nonce() {
    return moved().nonce();
  }

  /** From when on it moves nothing any more, as far as the database counts. */
  default Instant end() {
    return Instant.ofEpochSecond(validBefore().min(LATEST).longValueExact());
  }

  /** The relayer that must send it, as no other may; empty where any may. */
  default Optional<EvmAddress> sender() {
    return Optional.empty();
  }

  /** Whether it may be asked for again: then what is stored for it is waited for. */
  default boolean isAskedAgain() {
    return sender().isPresent();
  }

  /** Whether it would move more than was signed. */
  default boolean isTooMuch() {
    return false;
  }

  /** What is asked to hear whether the authorization was used. */
  Multicall3.Call state();

  /** Whether the answer says so. */
  boolean isUsed(BigInteger state);

  /** What a receipt must show. */
  default PaidTransfer promise() {
    Moved moved = moved();
    return new PaidTransfer(
        token(), moved.payer(), Hex.of(moved.nonce()), moved.payTo(), moved.amount());
  }

  /** Whether the receipt of a transaction that makes this call proves the payment. */
  boolean isProvenBy(JsonNode receipt);

  default Multicall3.Call inBatch() {
    return new Multicall3.Call(target(), data());
  }

  /**
   * Calldata of {@code transferWithAuthorization} (EIP-3009).
   *
   * @param token the token's contract
   * @param data the calldata
   */
  record AuthorizationCall(EvmAddress token, byte[] data) implements TransferCall {

    /** The overload with v, r and s, for signatures of 65 bytes (x402, settle). */
    private static final byte[] SPLIT = Hex.parse("0xe3ee160e");

    private static final int SELECTOR_BYTES = 4;
    private static final int WORD = 32;

    @Override
    public EvmAddress target() {
      return token;
    }

    @Override
    public long gas() {
      return isForBatches() ? GasLimits.TRANSFER : GasLimits.WALLET;
    }

    /** Only with a signature of the one form that every account without code makes. */
    @Override
    public boolean isForBatches() {
      return Arrays.equals(data, 0, SELECTOR_BYTES, SPLIT, 0, SELECTOR_BYTES);
    }

    @Override
    public Moved moved() {
      return new Moved(
          address(0), address(1), new BigInteger(1, word(2)), new BigInteger(1, word(4)), word(5));
    }

    @Override
    public Multicall3.Call state() {
      return new Multicall3.Call(token, TokenCalls.authorizationState(payer(), nonce()));
    }

    @Override
    public boolean isUsed(BigInteger state) {
      return state.signum() != 0;
    }

    @Override
    public boolean isProvenBy(JsonNode receipt) {
      return promise().isProvenBy(receipt);
    }

    private EvmAddress address(int index) {
      return EvmAddress.ofWord(word(index));
    }

    private byte[] word(int index) {
      int start = SELECTOR_BYTES + index * WORD;
      return Arrays.copyOfRange(data, start, start + WORD);
    }
  }

  /**
   * Calldata of a proxy. Never in a batch: its events name no payment, so that only the
   * transaction's own calldata ties a transfer to it, and for upto its sender is judged.
   *
   * @param token the token's contract
   * @param data the calldata
   * @param terms what it says
   */
  record PermitCall(EvmAddress token, byte[] data, SettleCall terms) implements TransferCall {

    @Override
    public EvmAddress target() {
      return terms.proxy();
    }

    @Override
    public Optional<EvmAddress> sender() {
      return terms.sender();
    }

    @Override
    public boolean isTooMuch() {
      return terms.amount().compareTo(terms.permitted()) > 0;
    }

    @Override
    public long gas() {
      return GasLimits.PERMIT;
    }

    @Override
    public Moved moved() {
      return new Moved(
          terms.payer(),
          terms.payTo(),
          terms.amount(),
          terms.deadline().add(BigInteger.ONE),
          PermitNonce.bytes(terms.nonce()));
    }

    @Override
    public Multicall3.Call state() {
      return new Multicall3.Call(Permit2.ADDRESS, TokenCalls.nonceBitmap(payer(), terms.nonce()));
    }

    @Override
    public boolean isUsed(BigInteger state) {
      return TokenCalls.isUsed(state, terms.nonce());
    }

    @Override
    public boolean isProvenBy(JsonNode receipt) {
      return promise().isProvenBy(receipt, data);
    }
  }

  /**
   * Calldata that puts money into a channel. Never in a batch: the payment is proven alone.
   *
   * @param token the token's contract
   * @param data the calldata
   * @param terms what it says
   */
  record DepositCall(EvmAddress token, byte[] data, DepositTerms terms) implements TransferCall {

    /** The channel's, for the payment is out of it. */
    @Override
    public byte[] owner() {
      return terms.channelId();
    }

    @Override
    public EvmAddress target() {
      return BatchSettlement.ADDRESS;
    }

    @Override
    public long gas() {
      return GasLimits.PERMIT;
    }

    @Override
    public Moved moved() {
      return new Moved(
          terms.config().payer(),
          BatchSettlement.ADDRESS,
          terms.deposit().amount(),
          terms.deposit().end(),
          terms.nonce());
    }

    @Override
    public Multicall3.Call state() {
      return terms.deposit() instanceof PermitDeposit permit
          ? new Multicall3.Call(Permit2.ADDRESS, TokenCalls.nonceBitmap(payer(), permit.nonce()))
          : new Multicall3.Call(token, TokenCalls.authorizationState(payer(), nonce()));
    }

    @Override
    public boolean isAskedAgain() {
      return true;
    }

    @Override
    public boolean isUsed(BigInteger state) {
      return terms.deposit() instanceof PermitDeposit permit
          ? TokenCalls.isUsed(state, permit.nonce())
          : state.signum() != 0;
    }

    @Override
    public boolean isProvenBy(JsonNode receipt) {
      DepositProof proof = new DepositProof(token, Hex.of(owner()), Hex.of(nonce()), amount());
      return terms.deposit() instanceof PermitDeposit
          ? proof.isIn(receipt, terms)
          : proof.isIn(receipt);
    }
  }

  /**
   * Calldata that pays out, or gives back, what channels hold. It may be sent again at any time,
   * for the contract itself counts.
   *
   * @param token the token's contract
   * @param data the calldata
   */
  record PayoutCall(EvmAddress token, byte[] data) implements TransferCall {

    private static final long GAS_OF_FIRST = 150_000;

    /** Some 550 bytes for each channel, which takes 20,000 to 40,000. */
    private static final long GAS_OF_BYTE = 100;

    private static final BigInteger NEVER = BigInteger.ONE.shiftLeft(Long.SIZE);

    @Override
    public EvmAddress target() {
      return BatchSettlement.ADDRESS;
    }

    @Override
    public long gas() {
      return GAS_OF_FIRST + data.length * GAS_OF_BYTE;
    }

    @Override
    public Moved moved() {
      return new Moved(
          BatchSettlement.ADDRESS,
          BatchSettlement.ADDRESS,
          BigInteger.ZERO,
          NEVER,
          Keccak.hash(data));
    }

    /**
     * The gateway's own claims and payouts wait for each other; for no refund, which payers ask for
     * as often as they like, and for nothing that another server has ordered.
     */
    @Override
    public byte[] owner() {
      if (isAskedAgain()) {
        return ChannelCalls.orderedOwner();
      }
      return ChannelCalls.isRefund(data) ? ChannelCalls.refundOwner() : TransferCall.super.owner();
    }

    @Override
    public boolean isAskedAgain() {
      return ChannelCalls.isOrdered(data);
    }

    @Override
    public Multicall3.Call state() {
      return new Multicall3.Call(token, TokenCalls.balanceOf(BatchSettlement.ADDRESS));
    }

    /** What it moves is told by the contract's own count, which the next run asks for. */
    @Override
    public boolean isUsed(BigInteger state) {
      return false;
    }

    @Override
    public boolean isProvenBy(JsonNode receipt) {
      return PaidTransfer.succeeded(receipt);
    }
  }
}
