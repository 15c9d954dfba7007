import { writeCommaList } from '../errors/comma-list.ts';
import { type FilterClause, type FilterValue, operatorOf } from './filter.ts';
import type { Grant } from './grant.ts';

/** The parts of a grant, in the words of the command line. */
export function grantTexts(grant: Omit<Grant, 'grantId'>): readonly string[] {
  const { filters, fields, lens } = grant;
  const { period } = lens;
  return [
    ...filters.map(filterText),
    ...(fields === undefined ? [] : [`fields ${listText(fields)}`]),
    ...lens.addressComponents.map(({ component, values }) => namedText(component, values)),
    ...lens.dimensions.map(({ dimensionId, values }) => namedText(dimensionId, values)),
    ...(period.start === undefined && period.end === undefined
      ? []
      : [`${period.start ?? ''}/${period.end ?? ''}`]),
    ...(lens.features.length === 0 ? [] : [`features ${listText(lens.features)}`]),
    ...lens.relatedAddressComponents.map(
      ({ component, values }) => `related ${namedText(component, values)}`,
    ),
    ...(lens.relatedFeatures.length === 0
      ? []
      : [`related features ${listText(lens.relatedFeatures)}`]),
    ...(grant.showsSmallCells ? ['small cells too'] : []),
    ...(grant.liftsDefaultFilters ? ['default filters lifted'] : []),
  ];
}

/** A filter as `grant add --filter` accepts it; a long list is shortened. */
export function filterText({ fieldName, operator, value, values }: FilterClause): string {
  switch (operatorOf(operator)?.takes) {
    case 'none':
      return `${fieldName} ${operator}`;
    case 'list':
      return `${fieldName} ${operator} ${listText(values)}`;
    case 'one':
    case undefined:
      return `${fieldName} ${operator} ${valueText(value)}`;
  }
}

/** A component or dimension with its values. */
export function namedText(name: string, values: readonly string[]): string {
  return `${name}:${listText(values)}`;
}

const VALUES_MAX = 5;

/** Values separated by commas, as the command line reads them. */
function listText(values: readonly FilterValue[]): string {
  const shown = values.slice(0, VALUES_MAX).map(String);
  const hidden = values.length - shown.length;
  const list = writeCommaList(shown);
  return hidden === 0 ? list : `${list} and ${hidden.toLocaleString('en-US')} more`;
}

/** One value is read to the end of the text, so only spaces at its ends and a first double quote matter. */
function valueText(value: FilterValue): string {
  const text = String(value);
  return text !== '' && text.trim() === text && !text.startsWith('"')
    ? text
    : `"${text.replaceAll('"', '""')}"`;
}
