import { snake } from './valid-name.ts';

/** How the texts of a column write one coordinate in degrees and minutes; undefined if they do not. */
export function degreesOf(column: string, texts: readonly string[]): DegreesOfColumn | undefined {
  if (texts.length === 0) return undefined;
  const plainTexts = texts.map(toPlainDegrees);
  const letters = new Set(plainTexts.map((text) => /[NSEW]/.exec(text)?.[0] ?? ''));
  const name = snake(column);
  const areLetters = (known: string) => [...letters].every((one) => known.includes(one) && one);
  const part =
    areLetters('NS') || LATITUDE.test(name)
      ? 'latitude'
      : areLetters('EW') || LONGITUDE.test(name)
        ? 'longitude'
        : undefined;
  if (part === undefined) return undefined;
  if (plainTexts.every((text) => MARKED_DEGREES.test(text))) {
    return { part, format: 'DMS', doubts: [] };
  }
  const isSigned = plainTexts.every((text) => SIGNED_DEGREES.test(text));
  if (!isSigned) return undefined;
  const side = part === 'latitude' ? 'north' : 'east';
  const doubts = [`Coordinates without a letter or a sign are read as ${side}.`];
  return { part, format: '-DMS', doubts };
}

export type DegreesOfColumn = {
  readonly part: 'latitude' | 'longitude';
  readonly format: 'DMS' | '-DMS';
  readonly doubts: readonly string[];
};

/** How both coordinates in degrees and minutes are in one text, distinguished by their letters. */
export function bothDegrees(texts: readonly string[]): string | undefined {
  const plainTexts = texts.map(toPlainDegrees);
  const [first] = plainTexts;
  if (first === undefined || !plainTexts.every((text) => LATITUDE_FIRST.test(text)))
    return undefined;
  const separator = /[,;/]\s*(?=[NSEW+-]|\d)/.exec(first.replaceAll(/\d[.,]\d/g, '0'))?.[0] ?? ' ';
  const isParenthesized = first.startsWith('(') && first.endsWith(')');
  const hasLatitudeFirst = plainTexts.every((text) => /^[^EW]*[NS][^NS]*[EW]?[^NSEW]*$/.test(text));
  const hasLongitudeFirst = plainTexts.every((text) =>
    /^[^NS]*[EW][^EW]*[NS]?[^NSEW]*$/.test(text),
  );
  if (hasLatitudeFirst === hasLongitudeFirst) return undefined;
  const names = hasLatitudeFirst ? ['lat', 'lng'] : ['lng', 'lat'];
  const both = names.join(separator);
  return `DMS ${isParenthesized ? `(${both})` : both}`;
}

/** Names of columns with a coordinate, in snake case. */
export const LATITUDE =
  /^(((stop|station|site|store|shop|place|location|loc|poi|venue|centroid|cent|center)_)?lat|latitude|y_?lat|lat_?y|intptlat|gps_lat|geo_lat|(geogr?_)?breite|breitengrad|latitud|latitudine)(_?(\d*|deg|degrees|dd|wgs84|[xy]))$|(^|_)latitude$/;
export const LONGITUDE =
  /^(((stop|station|site|store|shop|place|location|loc|poi|venue|centroid|cent|center)_)?(lon|lng|long)|longitude|x_?lon|intptlon|gps_lon|geo_lon|geo_lng|(geogr?_)?(la?enge|lange)|la?engengrad|langengrad|longitud|longitudine)(_?(\d*|deg|degrees|dd|wgs84|[xy]))$|(^|_)longitude$/;

/** The symbols that files use for degrees, minutes and seconds, as one each. */
function toPlainDegrees(text: string): string {
  return text
    .trim()
    .toUpperCase()
    .replaceAll(/DEG(REES?)?\.?|[º˚]/g, '°')
    .replaceAll(/MIN(UTES?)?\.?|[’‘′´]/g, "'")
    .replaceAll(/SEC(ONDS?)?\.?|[”“″]|''/g, '"')
    .replaceAll(/[−–]/g, '-');
}

const DEGREES_AND_MINUTES = [
  `\\d{1,3}(?:\\s*[°:-]\\s*|\\s+)\\d{1,2}(?:\\s*[':-]\\s*|\\s+)\\d{1,2}(?:[.,]\\d+)?\\s*"?`,
  `\\d{1,3}(?:\\s*[°:-]\\s*|\\s+)\\d{1,2}(?:[.,]\\d+)?\\s*'?`,
  `\\d{1,3}(?:[.,]\\d+)?\\s*°`,
].join('|');
const WITH_LETTER = `(?:${DEGREES_AND_MINUTES}|\\d{1,3}(?:[.,]\\d+)?)`;
const MARKED = `(?:[+-]\\s*(?:${DEGREES_AND_MINUTES})|[NSEW]\\s*${WITH_LETTER}|${WITH_LETTER}\\s*[NSEW])`;
const MARKED_DEGREES = new RegExp(`^${MARKED}$`);
const SIGNED_DEGREES = new RegExp(`^(?:[+-]\\s*)?(?:${DEGREES_AND_MINUTES})$`);
const LATITUDE_FIRST = new RegExp(`^\\(?${MARKED}[ ]*[,;/]?[ ]*${MARKED}\\)?$`);
