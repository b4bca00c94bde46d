/** A shop in one class. */
package dev.octroi.examples.shop;
