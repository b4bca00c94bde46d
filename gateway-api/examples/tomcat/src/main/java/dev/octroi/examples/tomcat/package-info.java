/** A servlet that is sold. */
package dev.octroi.examples.tomcat;
