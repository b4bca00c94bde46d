/** The music vendor of the sandbox, which really plays: short synthetic tracks as WAV. */
@NullMarked
package dev.octroi.sandbox.music;

import org.jspecify.annotations.NullMarked;
