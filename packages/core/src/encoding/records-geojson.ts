import type { GeojsonColumns } from '../domain/geojson-columns.ts';
import type { TableMetadata } from '../domain/table-metadata.ts';
import type { ValueVisitor } from '../domain/value-visitor.ts';
import { toPart } from './byte-writer.ts';
import { type RecordLineFormat, writeLines } from './record-lines.ts';
import { jsonNames, openJsonValueWriter } from './records-json.ts';

/**
 * A GeoJSON feature collection (RFC 7946) with a feature for each record, one per line: its point, longitude first, or
 * `null`, and its values as properties, with the types of NDJSON. What is true of the whole table is in the foreign member
 * `metadata` (§ 6.1), before the first record.
 */
export function geojsonLines(
  { propertyCount, latitude, longitude, distance }: GeojsonColumns,
  { source, version, licences }: TableMetadata,
): RecordLineFormat {
  return {
    head: () => {
      const metadata = JSON.stringify({ ...source, version, licences });
      return Buffer.from(`{"type":"FeatureCollection","metadata":${metadata},"features":[\n`);
    },
    lines: (fields, records, isFirst) =>
      writeLines(fields, records, (out) => {
        const names = jsonNames(
          fields.filter((_, field) => field < propertyCount || field === distance),
        );
        /** The number of a property: the distance comes after the fields of the point. */
        const propertyOf = (field: number): number | undefined =>
          field < propertyCount ? field : field === distance ? propertyCount : undefined;
        const properties = openJsonValueWriter(out, names, true);
        const point: [longitude: number | undefined, latitude: number | undefined] = [
          undefined,
          undefined,
        ];
        const keepDegrees = (field: number, degrees: number): void => {
          if (field === longitude) point[0] = degrees;
          if (field === latitude) point[1] = degrees;
        };
        const visitor: ValueVisitor = {
          text: (field, ...range) => {
            if (field < propertyCount) properties.text(field, ...range);
          },
          number: (field, value) => {
            keepDegrees(field, value);
            const property = propertyOf(field);
            if (property !== undefined) properties.number(property, value);
          },
          day: (field, days) => {
            if (field < propertyCount) properties.day(field, days);
          },
          value: (field, value) => {
            if (typeof value === 'number') keepDegrees(field, value);
            const property = propertyOf(field);
            if (property !== undefined) properties.value(property, value);
          },
        };
        let opening = isFirst ? FIRST : NEXT;
        return (visit) => {
          out.part(opening);
          opening = NEXT;
          point.fill(undefined);
          visit(visitor);
          out.part(GEOMETRY);
          const [x, y] = point;
          if (x === undefined || y === undefined) out.part(NO_GEOMETRY);
          else {
            out.part(POINT);
            out.number(x);
            out.byte(COMMA);
            out.number(y);
            out.part(POINT_END);
          }
        };
      }),
    tail: '\n]}\n',
  };
}

const FIRST = toPart('{"type":"Feature","properties":{');
const NEXT = toPart(',\n{"type":"Feature","properties":{');
const GEOMETRY = toPart('},"geometry":');
const NO_GEOMETRY = toPart('null}');
const POINT = toPart('{"type":"Point","coordinates":[');
const POINT_END = toPart(']}}');
const COMMA = 0x2c;
