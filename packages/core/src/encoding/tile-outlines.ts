import { BinaryWriter } from '@bufbuild/protobuf/wire';
import type { OutlineRing } from '../domain/outline.ts';
import type { Value } from '../domain/value.ts';
import { memoize } from '../runtime/memoize.ts';
import { CLOSE, lineTo, MOVE_ONCE, openLayer, POLYGON, zigzag } from './vector-tile.ts';

/** A map tile with the layer `features`: the outline of each feature with its values; an absent one is left out. */
export function encodeTileOutlines(
  names: readonly string[],
  features: readonly {
    readonly rings: readonly OutlineRing[];
    readonly values: readonly Value[];
  }[],
): Buffer {
  const layer = openLayer('features', names);
  for (const { rings, values } of features) {
    layer.add({ type: POLYGON, geometry: ringGeometry(rings), values });
  }
  return layer.end();
}

/** The service keeps drawn rings, and so their bytes are kept as long. */
const ringGeometry = memoize((rings: readonly OutlineRing[]): Uint8Array => {
  const commands = new BinaryWriter();
  let [x, y] = [0, 0];
  for (const { points } of rings) {
    for (let at = 0; at < points.length; at += 2) {
      const [nextX = 0, nextY = 0] = [points[at], points[at + 1]];
      if (at === 0) commands.uint32(MOVE_ONCE);
      if (at === 2) commands.uint32(lineTo(points.length / 2 - 1));
      commands.uint32(zigzag(nextX - x)).uint32(zigzag(nextY - y));
      [x, y] = [nextX, nextY];
    }
    commands.uint32(CLOSE);
  }
  return commands.finish();
});
