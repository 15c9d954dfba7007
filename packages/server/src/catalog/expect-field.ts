import type { Dataset } from '../domain/dataset.ts';
import type { FieldType } from '../domain/field.ts';
import { nameHint } from '../domain/nearest-name.ts';
import type { Report } from './manifest-report.ts';
import type { DatasetDocument } from './manifest-schema.ts';

/** The fields that a name in a part of the manifest can mean. */
export type FieldScope = {
  readonly fields: DatasetDocument['fields'];
  /** Named where the part stands outside of its dataset. */
  readonly datasetName?: string;
  readonly report: Report;
};

/**
 * Reports a name that no field has, or one of another type than these; none means any type. Gives
 * the type of the field where there is one.
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
    /** Ends the sentence that says which type is expected. */
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

/** Every object of JavaScript has a member `constructor`, which is also the name of a field. */
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
