import type { Dataset } from '../domain/dataset.ts';
import type { FieldType } from '../domain/field.ts';
import { nameHint } from '../domain/nearest-name.ts';
import type { Report } from './manifest-report.ts';
import type { DatasetDocument } from './manifest-schema.ts';

/** The fields that a part of the manifest can refer to. */
export type FieldScope = {
  readonly fields: DatasetDocument['fields'];
  /** Set if the part is outside of its dataset. */
  readonly datasetName?: string;
  readonly report: Report;
};

/**
 * Reports an unknown field, or a field of another type than the given ones; an empty list allows any
 * type. Returns the type of the field if it exists.
 */
export function expectField(
  { fields, datasetName, report }: FieldScope,
  name: string,
  {
    types,
    because,
    at,
  }: {
    readonly types: readonly FieldType[];
    /** The end of the sentence about the expected type. */
    readonly because?: string;
    readonly at: readonly string[];
  },
): FieldType | undefined {
  const place = datasetName === undefined ? '' : ` in ${datasetName}`;
  const type = findFieldType(fields, name);
  if (type === undefined) {
    report(at, `There is no field '${name}'${place}.`, nameHint(name, Object.keys(fields)));
  } else if (types.length > 0 && !types.includes(type)) {
    report(
      at,
      `The field '${name}'${place} has the type ${type}.`,
      `It must be ${types.join(' or ')}${because === undefined ? '' : `, because ${because}`}.`,
    );
  }
  return type;
}

/** Only own members count: `constructor` is a valid field name, and every object inherits such a member. */
export function findFieldType(fields: FieldScope['fields'], name: string): FieldType | undefined {
  return Object.hasOwn(fields, name) ? fields[name]?.type : undefined;
}

export function expectPoint(
  scope: FieldScope,
  { latitude, longitude }: NonNullable<Dataset['point']>,
  at: readonly string[],
): void {
  expectField(scope, latitude, { types: ['float'], at: [...at, 'latitude'] });
  expectField(scope, longitude, { types: ['float'], at: [...at, 'longitude'] });
  if (latitude === longitude) {
    scope.report(at, `The field '${latitude}' is both latitude and longitude.`);
  }
}

export function expectExistence(
  scope: FieldScope,
  { start, end }: NonNullable<Dataset['existence']>,
  at: readonly string[],
): void {
  if (start !== undefined) expectField(scope, start, { types: ['date'], at: [...at, 'start'] });
  if (end !== undefined) expectField(scope, end, { types: ['date'], at: [...at, 'end'] });
}
