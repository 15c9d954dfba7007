import type { Declared } from './manifest.ts';
import type { Report } from './manifest-report.ts';

/**
 * Reports suppressed small cells of a field that is not a measure: a field that is not a number, or that
 * identifies a record, its place or its group.
 */
export function checkSuppressed(declared: Declared, report: Report): void {
  const roles = rolesOf(declared);
  for (const { name, type, suppressBelow } of declared.dataset.fields) {
    if (suppressBelow === undefined) continue;
    const reportField = report.at('datasets', declared.dataset.name, 'fields', name, 'suppress');
    const role = roles.get(name);
    if (type !== 'integer' && type !== 'float') {
      reportField(`The field '${name}' has the type ${type}.`, 'Suppress small values of numbers.');
    } else if (role !== undefined) {
      reportField(
        `The field '${name}' is ${role}, which callers always see in full.`,
        'Suppress small values of measures.',
      );
    }
  }
}

function rolesOf({ dataset, layers, metrics }: Declared): ReadonlyMap<string, string> {
  const { key, point } = dataset;
  const coordinates = point === undefined ? [] : [point.latitude, point.longitude];
  return new Map([
    ...layers.flatMap(({ addressComponents, point: place }) => [
      ...addressComponents.map(({ component, fields }): [string, string] => [
        fields.value,
        `the address component '${component}'`,
      ]),
      ...(place === undefined ? [] : [place.latitude, place.longitude]).map(asCoordinate),
    ]),
    ...metrics.flatMap(({ dimensions }) =>
      dimensions.map(({ dimensionId, fields }): [string, string] => [
        fields.value,
        `the dimension '${dimensionId}'`,
      ]),
    ),
    ...coordinates.map(asCoordinate),
    ...key.map((name): [string, string] => [name, 'part of the key']),
  ]);
}

const asCoordinate = (name: string): [string, string] => [name, 'a coordinate'];
