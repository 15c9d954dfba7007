import type { DataReference } from '@locmetrics/client';
import type { Value } from '../../format/values.ts';

const LATITUDE = /(?:^|[._])(?:lat|latitude)(?:[._]|$)/i;
const LONGITUDE = /(?:^|[._])(?:lng|lon|long|longitude)(?:[._]|$)/i;

/** Longitude and latitude of a record, if its dataset has points and the names of its fields tell which they are. */
export function recordPoint(
  { fields, options }: DataReference,
  values: Readonly<Record<string, Value>>,
): readonly [number, number] | undefined {
  if (!options.boundingBox.available) return undefined;
  const [longitude, latitude] = [LONGITUDE, LATITUDE].map((name) => {
    const field = fields.find(
      (one) => one.type === 'COLUMN_TYPE_FLOAT' && name.test(`${one.name}.${one.sourceColumn}`),
    );
    return field === undefined ? undefined : values[field.name];
  });
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return undefined;
  return [longitude, latitude];
}
