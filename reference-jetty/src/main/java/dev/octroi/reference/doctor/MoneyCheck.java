package dev.octroi.reference.doctor;

import dev.octroi.api.Surroundings;
import dev.octroi.api.Surroundings.ChainReport;
import dev.octroi.api.settings.PaymentSettings;
import dev.octroi.payments.evm.chain.ChainUnavailable;
import dev.octroi.payments.facilitator.HttpFacilitator.FacilitatorReport;
import dev.octroi.reference.doctor.Doctor.Clocks;
import dev.octroi.reference.doctor.Doctor.Finding;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/** Looks at what settles payments: facilitators, the chain, who pays for gas. */
record MoneyCheck(PaymentSettings settings, Surroundings surroundings) {

  private static final String PAYMENTS = "payments";
  private static final String CHAIN = "chain";
  private static final int ETHER_DECIMALS = 18;

  /** 0.002 ether: some hundred settlements on a cheap chain. */
  private static final BigInteger LITTLE = BigInteger.valueOf(2_000_000_000_000_000L);

  List<Finding> look(Clocks clocks) {
    List<Finding> findings = new ArrayList<>();
    if (settings.mode() == PaymentSettings.Mode.SANDBOX) {
      findings.add(
          Finding.warning(
              PAYMENTS,
              "sandbox money on " + settings.network(),
              "Set gateway.payments.mode to remote or chain to earn real money."));
    }
    List<FacilitatorReport> reports = surroundings.facilitators();
    reports.stream().map(MoneyCheck::judge).forEach(findings::add);
    if (settings.channels().offered()
        && !reports.isEmpty()
        && reports.stream().noneMatch(FacilitatorReport::isForChannels)) {
      findings.add(
          Finding.warning(
              "channels",
              "no facilitator names a key that claims them, so that none are offered",
              "Name one in gateway.facilitator.urls that lists batch-settlement with a"
                  + " receiverAuthorizer, or unset gateway.payments.channels.offered."));
    }
    findings.addAll(chain(clocks));
    return findings;
  }

  private static Finding judge(FacilitatorReport report) {
    String subject = "facilitator";
    return switch (report.answer()) {
      case SETTLES ->
          Finding.good(subject, report.facilitator() + " settles on " + report.network());
      case DOES_NOT_SETTLE ->
          Finding.bad(
              subject,
              report.facilitator() + " does not settle on " + report.network(),
              "Name another one in gateway.facilitator.urls, or another network.");
      case NONE ->
          Finding.bad(
              subject,
              report.facilitator() + " does not say what it supports",
              "See that this machine may connect there, and check gateway.facilitator.auth.");
    };
  }

  private List<Finding> chain(Clocks clocks) {
    try {
      return surroundings
          .chain()
          .map(report -> judge(report, clocks))
          .orElseGet(this::withoutChain);
    } catch (ChainUnavailable e) {
      return List.of(
          Finding.bad(
              CHAIN,
              "no node of " + settings.network() + " answers: " + e.getMessage(),
              "Correct gateway.chain.rpc-url, or name more nodes there."));
    }
  }

  /** A facilitator's doubtful answer is decided by the chain, and by nothing else. */
  private List<Finding> withoutChain() {
    return settings.mode() == PaymentSettings.Mode.REMOTE
        ? List.of(
            Finding.warning(
                CHAIN,
                "payments in doubt will wait for the operator: no node of "
                    + settings.network()
                    + " is configured",
                "Set gateway.chain.rpc-url, so that the gateway asks the chain itself."))
        : List.of();
  }

  private List<Finding> judge(ChainReport chain, Clocks clocks) {
    List<Finding> findings = new ArrayList<>();
    clocks.told("the chain's latest block", chain.latest());
    findings.add(
        chain.isToken()
            ? Finding.good(CHAIN, settings.network() + " answers, and has the asset")
            : Finding.bad(
                CHAIN,
                "there is no contract at " + settings.asset() + " on " + settings.network(),
                "Correct gateway.payments.asset or gateway.payments.network."));
    chain.relayers().forEach((account, wei) -> findings.add(relayer(account, wei)));
    return findings;
  }

  private static Finding relayer(String account, BigInteger wei) {
    String what = account + " has " + ether(wei) + " ether";
    String advice = "Send it ether on this chain.";
    if (wei.signum() == 0) {
      return Finding.bad("relayer", what, advice);
    }
    return wei.compareTo(LITTLE) < 0
        ? Finding.warning("relayer", what, advice)
        : Finding.good("relayer", what);
  }

  private static String ether(BigInteger wei) {
    BigDecimal ether = new BigDecimal(wei, ETHER_DECIMALS).round(new MathContext(4));
    return ether.stripTrailingZeros().toPlainString();
  }
}
