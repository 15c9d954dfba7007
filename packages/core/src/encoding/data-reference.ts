import type { DataReference, FieldDefinition, OptionDefinitions } from '@locmetrics/contract';
import { dateParts } from '../dates/calendar-date.ts';
import { additivityOf } from '../domain/additivity.ts';
import { type Dataset, hasVectorsOf, trimsToExistence } from '../domain/dataset.ts';
import { DISTANCE_FIELD } from '../domain/distance.ts';
import type { Field, FieldType } from '../domain/field.ts';
import { supportedOperators } from '../domain/filter.ts';
import { scheduleOf } from '../domain/schedule.ts';
import type { CountedVersion } from '../domain/version.ts';
import { aggregationsOf } from '../requests/aggregation.ts';
import { memoize } from '../runtime/memoize.ts';

/** The answer with one dataset, as JSON. */
export function encodeDataReference(version: CountedVersion): Buffer {
  return Buffer.from(`{"dataReference":${dataReferenceText(version)}}`);
}

/** The answer with several datasets, as JSON. */
export function encodeDataReferences(versions: readonly CountedVersion[]): Buffer {
  return Buffer.from(`{"dataReferences":[${versions.map(dataReferenceText).join()}]}`);
}

/** It follows from its version, so it is kept while that is in use. */
const dataReferenceText = memoize((version: CountedVersion) =>
  JSON.stringify(toDataReference(version)),
);

/** A dataset as the catalog interface shows it. */
export function toDataReference(version: CountedVersion): DataReference {
  const { dataset, publishedTime, rowCount, firstObservationDate, lastObservationDate } = version;
  return {
    name: dataset.name,
    dataProductDisplayName: dataset.productDisplayName,
    dataProductDescription: dataset.productDescription,
    dataListingDisplayName: dataset.displayName,
    dataListingDescription: dataset.description,
    fields: dataset.fields.map((field) => ({
      ...toFieldDefinition(field),
      ...toAdditivity(field, dataset),
    })),
    options: toOptionDefinitions(dataset),
    ...toDateRange(version),
    ...toSchedule(version),
    updateTime: publishedTime,
    version: version.version,
    publishedTime,
    rowCount,
    ...(firstObservationDate === undefined ? {} : { firstObservationDate }),
    ...(lastObservationDate === undefined ? {} : { lastObservationDate }),
  };
}

function toDateRange({
  firstObservationDate: first,
  lastObservationDate: last,
}: CountedVersion): Pick<DataReference, 'dateRange'> {
  if (first === undefined && last === undefined) return {};
  return {
    dateRange: {
      ...(first === undefined ? {} : { start: dateParts(first) }),
      ...(last === undefined ? {} : { end: dateParts(last) }),
    },
  };
}

function toSchedule(
  version: CountedVersion,
): Pick<DataReference, 'cadence' | 'processingCadence' | 'processingLagDays'> {
  const { cadence, processingCadence, ...rest } = scheduleOf(version);
  return {
    ...(cadence === undefined ? {} : { cadence: cadence.toUpperCase() }),
    ...(processingCadence === undefined
      ? {}
      : { processingCadence: processingCadence.toUpperCase() }),
    ...rest,
  };
}

export function toFieldDefinition(field: Field): FieldDefinition {
  return {
    name: field.name,
    sourceColumn: field.sourceColumn,
    type: COLUMN_TYPE_OF[field.type],
    description: field.description,
    // The distance is not a field of the dataset, so it cannot be filtered.
    filters: {
      supportedOperators: field === DISTANCE_FIELD ? [] : [...supportedOperators(field)],
    },
    exampleValue: field.exampleValue,
    includedByDefault: field.includedByDefault,
  };
}

/** It depends on the dataset, so definitions beside records do not have it. */
function toAdditivity(
  field: Field,
  dataset: Dataset,
): Pick<FieldDefinition, 'additive' | 'aggregations'> {
  const additive = additivityOf(field, dataset);
  const isSummed = additive !== undefined && additive !== 'none';
  const aggregations = aggregationsOf(field).filter((one) => one !== 'SUM' || isSummed);
  return additive === undefined ? { aggregations } : { additive, aggregations };
}

const COLUMN_TYPE_OF: Readonly<Record<FieldType, FieldDefinition['type']>> = {
  string: 'COLUMN_TYPE_STRING',
  integer: 'COLUMN_TYPE_INTEGER',
  float: 'COLUMN_TYPE_FLOAT',
  boolean: 'COLUMN_TYPE_BOOLEAN',
  date: 'COLUMN_TYPE_DATE',
};

export const BOX_EXAMPLE = { minLng: -124.5, minLat: 32.5, maxLng: -114.1, maxLat: 42 } as const;

/** An area of Los Angeles. */
export const POLYGON_EXAMPLE = {
  coordinates: [
    { longitude: -118.7, latitude: 33.7 },
    { longitude: -117.6, latitude: 33.7 },
    { longitude: -118.1, latitude: 34.4 },
    { longitude: -118.7, latitude: 33.7 },
  ],
};

export const CIRCLE_EXAMPLE = { longitude: -118.2, latitude: 34.1, radiusMetres: 5000 } as const;

export const NEAR_EXAMPLE = { longitude: -118.2, latitude: 34.1 } as const;

export function orderExample({ fields }: Dataset) {
  return { fieldName: fields[0]?.name ?? '', direction: 'DESC' } as const;
}

function toOptionDefinitions(dataset: Dataset): OptionDefinitions {
  const hasVectors = dataset.point !== undefined && hasVectorsOf(dataset.point, dataset);
  return {
    boundingBox: {
      exampleValue: JSON.stringify(BOX_EXAMPLE),
      displayName: 'Bounding box',
      description:
        'Records whose point lies inside the box, edges included; degrees. minLng > maxLng crosses the antimeridian.',
      available: dataset.point !== undefined,
    },
    trimToPeriodOfExistence: {
      exampleValue: 'TRIM',
      displayName: 'Trim to period of existence',
      description:
        'TRIM (default) leaves out records whose period lies outside the time their place existed; IGNORE keeps them.',
      available: trimsToExistence(dataset),
    },
    orderBy: {
      exampleValue: JSON.stringify(orderExample(dataset)),
      displayName: 'Order',
      description:
        'Orders by a field, ASC or DESC, and then by those of thenBy; absent values last, ties by the key.',
      available: true,
    },
    polygon: {
      exampleValue: JSON.stringify(POLYGON_EXAMPLE),
      displayName: 'Polygon',
      description:
        'Records whose point lies inside the polygon, edges included; one ring of 4 to 500 points, the last as the first; not together with the bounding box.',
      available: dataset.point !== undefined,
    },
    circle: {
      exampleValue: JSON.stringify(CIRCLE_EXAMPLE),
      displayName: 'Circle',
      description:
        'Records whose point lies at most so many metres from a centre; not together with the bounding box or the polygon.',
      available: hasVectors,
    },
    near: {
      exampleValue: JSON.stringify(NEAR_EXAMPLE),
      displayName: 'Near',
      description:
        'Orders the records by their distance from a point, and adds it as distance_metres; records without a point last; not together with the order.',
      available: hasVectors,
    },
  };
}
