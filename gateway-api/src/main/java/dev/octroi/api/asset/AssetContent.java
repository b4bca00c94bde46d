package dev.octroi.api.asset;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Bytes that are to be kept; they can be read more than once. */
public interface AssetContent {

  /** How many bytes there are. */
  long length();

  /** The bytes from the beginning; the caller closes them. */
  InputStream open() throws IOException;

  /** Bytes in memory, which must not be changed any more. */
  static AssetContent of(byte[] bytes) {
    return new AssetContent() {
      @Override
      public long length() {
        return bytes.length;
      }

      @Override
      public InputStream open() {
        return new ByteArrayInputStream(bytes);
      }
    };
  }

  /** A file, which must not be changed any more. */
  static AssetContent of(Path file) throws IOException {
    long length = Files.size(file);
    return new AssetContent() {
      @Override
      public long length() {
        return length;
      }

      @Override
      public InputStream open() throws IOException {
        return Files.newInputStream(file);
      }
    };
  }
}
