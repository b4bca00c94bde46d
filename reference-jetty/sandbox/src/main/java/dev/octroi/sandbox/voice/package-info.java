/** The voice vendor of the sandbox: calls that ring, talk and end within seconds, at no phone. */
@NullMarked
package dev.octroi.sandbox.voice;

import org.jspecify.annotations.NullMarked;
