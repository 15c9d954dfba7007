import { latLngToCell } from 'h3-js';

/** A point in degrees, WGS 84: latitude -90 to 90, longitude -180 to 180. */
type Point = { readonly latitude: number; readonly longitude: number };

/**
 * The location part ("where") of the Placekey of a point, such as `@dvt-smp-tvz`.
 *
 * It names the H3 cell of resolution 10 (about 15,000 square metres) that contains the point. Two
 * points in one cell have the same part. The other part ("what": address and place) comes only from
 * Placekey's own service and is not computed here.
 *
 * Source: Placekey's published library, https://github.com/Placekey/placekey-py, version 0.0.36,
 * `geo_to_placekey` in `placekey/placekey.py` (Apache-2.0). The steps below follow it one by one.
 *
 * @throws RangeError if the latitude or longitude is out of range. The library moves such a point to
 *   another place, which would hide an error in the data.
 * @example placekeyOfPoint({ latitude: 0, longitude: 0 }) // '@dvt-smp-tvz'
 */
export function placekeyOfPoint(point: Point): string {
  requirePointOnGlobe(point);
  const cell = latLngToCell(point.latitude, point.longitude, h3Resolution);
  const code = replaceWordLikeParts(toAlphabet(shortenCell(cell)));
  const padded = code.padStart(codeLength, paddingCharacter);
  return `@${padded.slice(0, 3)}-${padded.slice(3, 6)}-${padded.slice(6, 9)}`;
}

/** Every Placekey is a cell of this H3 resolution. */
const h3Resolution = 10;

/** The code has digits down to this resolution, so that finer Placekeys are possible later. */
const baseResolution = 12;
const finestH3Resolution = 15;
const bitsPerResolution = 3;

/** Digits and consonants that do not look alike. There are no vowels, so words rarely appear by chance. */
const alphabet = '23456789bcdfghjkmnpqrstvwxyz';
const codeLength = 9;
const paddingCharacter = 'a';

/**
 * The replacements of the library that avoid rude words. The order matters: an earlier replacement can
 * create or remove the text of a later one.
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
  // This form also refuses NaN, whose comparisons are all false.
  const isOnGlobe = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  if (!isOnGlobe) {
    throw new RangeError(`No Placekey for latitude ${latitude}, longitude ${longitude}`);
  }
}

/**
 * The bits of an H3 index that distinguish cells of one resolution: the number of the base cell and
 * the digits down to the base resolution. It is a bigint, because an H3 index has 64 bits.
 */
function shortenCell(cell: string): bigint {
  const headerFreeBits = 52;
  // The base cell is counted from 1, because a leading zero of the code would be lost.
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
