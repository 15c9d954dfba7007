import { latLngToCell } from 'h3-js';

/** A point in degrees, WGS 84: latitude -90 to 90, longitude -180 to 180. */
export type Point = { readonly latitude: number; readonly longitude: number };

/**
 * The where part of the Placekey of a point, such as `@dvt-smp-tvz`.
 *
 * It names the H3 cell of resolution 10 (some 15,000 square metres) that holds the point, so two
 * points in one cell share it. The what part (address and place) comes only from Placekey's own
 * service and is not made here.
 *
 * Source: Placekey's published library, https://github.com/Placekey/placekey-py, version 0.0.36,
 * `geo_to_placekey` in `placekey/placekey.py` (Apache-2.0). The steps below follow it one by one.
 *
 * @throws RangeError when the point is not on the globe. The library wraps such a point round to
 *   some other place, which would hide a mistake in the data.
 * @example placekeyOfPoint({ latitude: 0, longitude: 0 }) // '@dvt-smp-tvz'
 */
export function placekeyOfPoint(point: Point): string {
  requirePointOnGlobe(point);
  const cell = latLngToCell(point.latitude, point.longitude, h3Resolution);
  const code = replaceWordLikeParts(toAlphabet(shortenCell(cell)));
  const padded = code.padStart(codeLength, paddingCharacter);
  return `@${padded.slice(0, 3)}-${padded.slice(3, 6)}-${padded.slice(6, 9)}`;
}

/** Every Placekey names a cell of this H3 resolution. */
export const h3Resolution = 10;

/** The code keeps room down to this resolution, so that finer Placekeys could be made one day. */
const baseResolution = 12;
const finestH3Resolution = 15;
const bitsPerResolution = 3;

/** Digits and consonants without look-alikes; no vowel, so that few words come about by chance. */
const alphabet = '23456789bcdfghjkmnpqrstvwxyz';
const codeLength = 9;
const paddingCharacter = 'a';

/**
 * The replacements of the library that avoid rude words. The order counts, because an earlier replacement
 * can make or unmake the text that a later one looks for.
 */
const replacements = [
  ['prn', 'pre'],
  ['f4nny', 'f4nne'],
  ['tw4t', 'tw4e'],
  ['ngr', 'ngu'],
  ['dck', 'dce'],
  ['vjn', 'vju'],
  ['fck', 'fce'],
  ['pns', 'pne'],
  ['sht', 'she'],
  ['kkk', 'kke'],
  ['fgt', 'fgu'],
  ['dyk', 'dye'],
  ['bch', 'bce'],
] as const;

function requirePointOnGlobe({ latitude, longitude }: Point): void {
  // Written so that NaN, which compares false with everything, is refused as well.
  const isOnGlobe = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  if (!isOnGlobe) {
    throw new RangeError(`No Placekey for latitude ${latitude}, longitude ${longitude}`);
  }
}

/**
 * The bits of an H3 index that tell cells of one resolution apart: the number of the base cell and
 * the digits down to the base resolution. An H3 index has 64 bits, hence the bigint.
 */
function shortenCell(cell: string): bigint {
  const headerFreeBits = 52;
  // The base cell is counted from 1 so that no code starts with zeros, which have no character.
  const oneBaseCell = 1n << BigInt(bitsPerResolution * finestH3Resolution);
  const withoutHeader = BigInt.asUintN(headerFreeBits, BigInt(`0x${cell}`) + oneBaseCell);
  return withoutHeader >> BigInt(bitsPerResolution * (finestH3Resolution - baseResolution));
}

function toAlphabet(value: bigint): string {
  const base = BigInt(alphabet.length);
  let text = '';
  for (let rest = value; rest > 0n; rest /= base) {
    text = alphabet.charAt(Number(rest % base)) + text;
  }
  return text;
}

function replaceWordLikeParts(code: string): string {
  return replacements.reduce((text, [part, instead]) => text.replaceAll(part, instead), code);
}
