import type { OutlineRing } from '@locmetrics/core/domain/outline';

/*
 * The bytes of an outline: for each ring twice the number of its positions, plus one for a hole; then how far each
 * position is from the one before, in x and y. Numbers are written in groups of seven bits, the lowest first.
 */

export function encodeRings(rings: readonly OutlineRing[]): Uint8Array {
  const bytes: number[] = [];
  const put = (number: number): void => {
    let rest = number;
    while (rest > 127) {
      bytes.push((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    bytes.push(rest);
  };
  let [x, y] = [0, 0];
  for (const { isHole, points } of rings) {
    put(points.length + (isHole ? 1 : 0));
    for (let index = 0; index < points.length; index += 2) {
      const [nextX = 0, nextY = 0] = [points[index], points[index + 1]];
      put(toUnsigned(nextX - x));
      put(toUnsigned(nextY - y));
      [x, y] = [nextX, nextY];
    }
  }
  return Uint8Array.from(bytes);
}

export function decodeRings(bytes: Uint8Array): readonly OutlineRing[] {
  let at = 0;
  const take = (): number => {
    let number = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at];
      if (byte === undefined) throw new RangeError('An outline ends in the middle of a number.');
      at += 1;
      number += (byte & 127) * factor;
      if (byte < 128) return number;
    }
  };
  const rings: OutlineRing[] = [];
  let [x, y] = [0, 0];
  while (at < bytes.length) {
    const head = take();
    const length = head - (head % 2);
    // Each number has a byte or more.
    if (length > bytes.length - at) throw new RangeError('An outline ends before its ring.');
    const points = new Int32Array(length);
    for (let index = 0; index < length; index += 2) {
      x += toSigned(take());
      y += toSigned(take());
      points[index] = x;
      points[index + 1] = y;
    }
    rings.push({ isHole: head % 2 === 1, points });
  }
  return rings;
}

/** Small numbers of either sign become small ones. */
function toUnsigned(number: number): number {
  return number < 0 ? -2 * number - 1 : 2 * number;
}

function toSigned(number: number): number {
  return number % 2 === 1 ? -(number + 1) / 2 : number / 2;
}
