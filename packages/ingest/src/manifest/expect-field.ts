import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { FieldType } from '@locmetrics/core/domain/field';
import { nameHint, nearestName } from '@locmetrics/core/errors/nearest-name';
import type { Report } from './manifest-report.ts';
import type { DatasetDocument, ManifestDocument } from './manifest-schema.ts';

/** The fields that a part of the manifest can refer to. */
export type FieldScope = {
  readonly fields: DatasetDocument['fields'];
  /** Set if the part is outside of its dataset. */
  readonly datasetName?: string;
};

/**
 * Reports an unknown field, or a field of another type than the given ones; an empty list allows any
 * type. Returns the type of the field if it exists.
 */
export function expectField(
  { fields, datasetName }: FieldScope,
  name: string,
  {
    types,
    because,
    report,
  }: {
    readonly types: readonly FieldType[];
    /** The end of the sentence about the expected type. */
    readonly because?: string;
    readonly report: Report;
  },
): FieldType | undefined {
  const place = datasetName === undefined ? '' : ` in ${datasetName}`;
  const type = findFieldType(fields, name);
  if (type === undefined) {
    report(`There is no field '${name}'${place}.`, nameHint(name, Object.keys(fields)));
  } else if (types.length > 0 && !types.includes(type)) {
    report(
      `The field '${name}'${place} has the type ${type}.`,
      `It must be ${types.join(' or ')}${because === undefined ? '' : `, because ${because}`}.`,
    );
  }
  return type;
}

export function findFieldType(fields: FieldScope['fields'], name: string): FieldType | undefined {
  return findDeclared({ fields }, name)?.type;
}

/** Only own members count: `constructor` is a valid field name, and every object inherits such a member. */
export function findDeclared({ fields }: Pick<FieldScope, 'fields'>, name: string) {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

export function expectPoint(
  scope: FieldScope,
  { latitude, longitude }: NonNullable<Dataset['point']>,
  report: Report,
): void {
  expectField(scope, latitude, { types: ['float'], report: report.at('latitude') });
  expectField(scope, longitude, { types: ['float'], report: report.at('longitude') });
  if (latitude === longitude) {
    report(`The field '${latitude}' is both latitude and longitude.`);
  }
}

export function expectExistence(
  scope: FieldScope,
  { start, end }: NonNullable<Dataset['existence']>,
  report: Report,
): void {
  if (start !== undefined)
    expectField(scope, start, { types: ['date'], report: report.at('start') });
  if (end !== undefined) expectField(scope, end, { types: ['date'], report: report.at('end') });
}

/** The dataset of a layer or a metric; a missing one is reported. */
export function expectDataset(
  name: string,
  document: ManifestDocument,
  report: Report,
): DatasetDocument | undefined {
  const dataset = document.datasets[name];
  if (dataset === undefined) {
    const hint = declaredNameHint(name, 'datasets', Object.keys(document.datasets));
    report.at('dataset')(`The manifest declares no dataset '${name}'.`, hint);
  }
  return dataset;
}

/**
 * The hint for a name that a section of the manifest does not have. What is published from another manifest does not
 * count: a layer and a metric are declared beside their dataset.
 */
export function declaredNameHint(
  name: string,
  section: 'datasets' | 'layers',
  known: readonly string[],
): string {
  const isNear = nearestName(name, known) !== undefined;
  const others = known.length === 0 ? [] : [nameHint(name, known)];
  return [...others, ...(isNear ? [] : [`Declare it in this manifest, under ${section}.`])].join(
    ' ',
  );
}
