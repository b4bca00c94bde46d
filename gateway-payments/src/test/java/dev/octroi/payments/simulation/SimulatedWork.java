package dev.octroi.payments.simulation;

/** What one client has a node do, a step at a time: between any two of them the node may die. */
interface SimulatedWork {

  /** Does the next step; false if it killed its node. */
  boolean go();

  boolean isDone();

  SimulatedNode node();

  /** Whether it ends with the present life of a node. */
  boolean diesWith(SimulatedNode other);
}
