/**
 * Compares two texts by their UTF-8 bytes, which is the same as by their code points.
 * JavaScript's own `<` compares UTF-16 units and puts U+10000 before U+FFFF.
 */
export function compareUtf8(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const leftUnit = left.charCodeAt(index);
    const rightUnit = right.charCodeAt(index);
    if (leftUnit !== rightUnit) return codePointRank(leftUnit) - codePointRank(rightUnit);
  }
  return left.length - right.length;
}

/** Moves the surrogates (U+D800 to U+DFFF), which encode code points above U+FFFF, to the end. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
