/** A resource of Quarkus that is sold. */
package dev.octroi.examples.quarkus;
