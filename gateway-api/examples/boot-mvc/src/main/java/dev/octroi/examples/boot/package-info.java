/** A controller of Spring MVC that is sold. */
package dev.octroi.examples.boot;
