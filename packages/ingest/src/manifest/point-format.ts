/** How a point is written in one text: what is before, between and after its coordinates. */
export type PointFormat = {
  /** The text of the manifest, for messages. */
  readonly written: string;
  readonly before: string;
  readonly between: string;
  readonly after: string;
  readonly first: 'lat' | 'lng';
};

/** Parses a format such as `(lat, lng)` or `POINT (lng lat)`. Undefined if it is none. */
export function parsePointFormat(written: string): PointFormat | undefined {
  const [, before, first, between, second, after] = PATTERN.exec(written) ?? [];
  if (before === undefined || between === undefined || after === undefined) return undefined;
  if (first === second || (first !== 'lat' && first !== 'lng')) return undefined;
  return { written, before, between, after, first };
}

const PATTERN = /^([^0-9]*?)(lat|lng)([^0-9a-z]+)(lat|lng)([^0-9]*)$/u;

/** Coordinates in degrees, minutes and seconds: one in a text, or both. */
export type DegreesFormat = {
  /** The text of the manifest, for messages. */
  readonly written: string;
  /** Whether a coordinate without a letter and a sign is north or east; otherwise it is refused. */
  readonly isSigned: boolean;
  /** How both coordinates are in one text; absent: the text is one coordinate. */
  readonly point?: PointFormat | undefined;
};

/** Parses a format such as `DMS`, `-DMS` or `DMS lat, lng`. Undefined if it is none. */
export function parseDegreesFormat(written: string): DegreesFormat | undefined {
  const [, sign, both] = /^(-?)DMS(?: +(.+))?$/u.exec(written.trim()) ?? [];
  if (sign === undefined) return undefined;
  if (both === undefined) return { written, isSigned: sign === '-' };
  // Without letters and symbols it would not be clear where the second coordinate begins.
  const point = sign === '-' ? undefined : parsePointFormat(both);
  return point === undefined ? undefined : { written, isSigned: false, point };
}
