package dev.octroi.sandbox.images;

import dev.octroi.sandbox.vendor.Seeded;
import java.util.ArrayList;
import java.util.List;

/**
 * Paints a picture that depends on its prompt alone: bands of sky and some round and straight
 * things before it, in places relative to the size, so that a prompt is recognised at any size. All
 * in whole colours, which compress well, and without AWT, which draws differently by platform.
 */
final class Painter {

  private static final int OPAQUE = 0xFF000000;
  private static final int BANDS = 24;

  private final int upper;
  private final int lower;
  private final List<Shape> shapes = new ArrayList<>();

  /** Something before the sky; coordinates are 0 to 1 of the height, from the middle. */
  private sealed interface Shape {

    boolean covers(double x, double y);

    int colour();
  }

  private record Ring(double x, double y, double inner, double outer, int colour) implements Shape {

    @Override
    public boolean covers(double atX, double atY) {
      double distance = (atX - x) * (atX - x) + (atY - y) * (atY - y);
      return distance <= outer * outer && distance >= inner * inner;
    }
  }

  private record Beam(double slope, double shift, double half, int colour) implements Shape {

    @Override
    public boolean covers(double atX, double atY) {
      return Math.abs(atY - slope * atX - shift) <= half;
    }
  }

  /**
   * @param number which of the pictures of one order it is
   */
  Painter(String prompt, int number) {
    Seeded seeded = Seeded.of("picture", prompt, number);
    upper = colour(seeded);
    lower = colour(seeded);
    int count = (int) seeded.whole(4, 9);
    for (int made = 0; made < count; made++) {
      shapes.add(seeded.chance(0.7) ? ring(seeded) : beam(seeded));
    }
  }

  private static Shape ring(Seeded seeded) {
    double outer = seeded.uniform(0.05, 0.3);
    double inner = seeded.chance(0.5) ? 0 : outer * seeded.uniform(0.4, 0.8);
    return new Ring(
        seeded.uniform(-0.5, 0.5), seeded.uniform(-0.5, 0.5), inner, outer, colour(seeded));
  }

  private static Shape beam(Seeded seeded) {
    return new Beam(
        seeded.uniform(-2, 2),
        seeded.uniform(-0.4, 0.4),
        seeded.uniform(0.01, 0.05),
        colour(seeded));
  }

  private static int colour(Seeded seeded) {
    return OPAQUE | (int) seeded.whole(0, 0xFFFFFF);
  }

  /**
   * The picture.
   *
   * @param transparent whether nothing is behind the things
   */
  Picture paint(int width, int height, boolean transparent) {
    Picture picture = Picture.empty(width, height);
    for (int y = 0; y < height; y++) {
      int sky = transparent ? 0 : sky(y * BANDS / height);
      double fromMiddle = (y + 0.5) / height - 0.5;
      for (int x = 0; x < width; x++) {
        double across = (x + 0.5 - width / 2.0) / height;
        picture.pixels()[y * width + x] = at(across, fromMiddle, sky);
      }
    }
    return picture;
  }

  private int at(double x, double y, int sky) {
    for (int top = shapes.size() - 1; top >= 0; top--) {
      if (shapes.get(top).covers(x, y)) {
        return shapes.get(top).colour();
      }
    }
    return sky;
  }

  private int sky(int band) {
    return OPAQUE
        | mixed(upper, lower, band, 16)
        | mixed(upper, lower, band, 8)
        | mixed(upper, lower, band, 0);
  }

  private static int mixed(int from, int to, int band, int shift) {
    int one = from >> shift & 0xFF;
    int other = to >> shift & 0xFF;
    return (one + (other - one) * band / (BANDS - 1)) << shift;
  }
}
