package dev.octroi.api;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Map;

/**
 * What the nodes of the EVM chain say.
 *
 * @param latest the time of the latest block
 * @param isToken whether there is a contract at the asset's address
 * @param relayers what the accounts that pay for gas have, in wei, by address; empty where there
 *     are none
 */
public record ChainReport(Instant latest, boolean isToken, Map<String, BigInteger> relayers) {}
