/** A JAX-RS resource that is sold, on Spring Boot. */
package dev.octroi.examples.boot;
