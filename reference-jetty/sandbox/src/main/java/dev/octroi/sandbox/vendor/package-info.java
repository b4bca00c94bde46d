/**
 * What every vendor of the sandbox is made of: the server, requests and answers, magic values that
 * make a vendor slow or fail, and data that follow from a seed.
 */
@NullMarked
package dev.octroi.sandbox.vendor;

import org.jspecify.annotations.NullMarked;
