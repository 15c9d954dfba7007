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
