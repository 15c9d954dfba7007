import { axesOf } from '@locmetrics/core/domain/additivity';
import type { Declared } from './manifest.ts';
import type { Report } from './manifest-report.ts';

/**
 * Reports what is declared for measures on a field that is not one: a field that is not a number, or that identifies a
 * record, its place or its group. Also reports an additivity by period in a dataset without periods.
 */
export function checkMeasures(declared: Declared, report: Report): void {
  const roles = rolesOf(declared);
  const hasPeriods = axesOf(declared).periods.length > 0;
  for (const { name, type, suppressBelow, additive } of declared.dataset.fields) {
    const reportField = report.at('datasets', declared.dataset.name, 'fields', name);
    const role = roles.get(name);
    const isNumber = type === 'integer' || type === 'float';
    if (suppressBelow !== undefined && !isNumber) {
      reportField.at('suppress')(
        `The field '${name}' has the type ${type}.`,
        'Suppress small values of numbers.',
      );
    } else if (suppressBelow !== undefined && role !== undefined) {
      reportField.at('suppress')(
        `The field '${name}' is ${role}, which callers always see in full.`,
        'Suppress small values of measures.',
      );
    }
    if (additive === undefined) continue;
    if (!isNumber) {
      reportField.at('additive')(
        `The field '${name}' has the type ${type}, so its values are never added up.`,
        'Leave additive out; it is for numbers.',
      );
    } else if (role !== undefined) {
      reportField.at('additive')(
        `The field '${name}' is ${role}, so its values are never added up.`,
        'Leave additive out; it is for measures.',
      );
    } else if (!hasPeriods && (additive === 'periods' || additive === 'places')) {
      reportField.at('additive')(
        `The field '${name}' has additive: ${additive}, but the records have no period.`,
        `Declare the period of the dataset, or write additive: ${additive === 'places' ? 'all' : 'none'}.`,
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
