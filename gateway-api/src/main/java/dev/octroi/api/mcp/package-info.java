/**
 * What is sold, as tools of the Model Context Protocol: the official SDK speaks it, a resource of
 * ours carries it, and each call of a tool becomes a call of the gateway's own HTTP face, so that
 * one gate claims, settles and limits (decisions, tools).
 */
@NullMarked
package dev.octroi.api.mcp;

import org.jspecify.annotations.NullMarked;
