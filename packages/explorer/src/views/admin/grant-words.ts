import type { Grant } from '@locmetrics/client/admin';
import { formatDay } from '../../format/dates.ts';
import { listTexts } from '../../format/lists.ts';
import { operatorTakes, operatorWord } from '../../format/operators.ts';

/** The parts of a grant that say what it lets through; also of one that is only planned. */
export type GrantParts = Pick<
  Grant,
  | 'pattern'
  | 'filters'
  | 'fields'
  | 'observationPeriodFilter'
  | 'addressComponentFilter'
  | 'dimensionFilter'
  | 'featureFilter'
  | 'relatedAddressComponentFilter'
  | 'relatedFeatureFilter'
  | 'from'
  | 'until'
  | 'showsSmallCells'
  | 'liftsDefaultFilters'
>;

/** A grant in sentences: the data that it lets through. */
export function grantSentences(grant: GrantParts): readonly string[] {
  const { start, end } = grant.observationPeriodFilter;
  return [
    `${capital(patternWords(grant.pattern))}.`,
    ...grant.filters.map((filter) => `Only where ${filterText(filter)}.`),
    grant.fields === null ? 'All fields.' : `Only these fields: ${grant.fields.join(', ')}.`,
    ...spanWords('Only values', start, end),
    ...grant.addressComponentFilter.map(
      ({ component, values }) => `Only where ${component} is ${anyOf(values)}.`,
    ),
    ...grant.dimensionFilter.map(
      ({ dimensionId, values }) => `Only where ${dimensionId} is ${anyOf(values)}.`,
    ),
    ...(grant.featureFilter.length === 0
      ? []
      : [`Only the features ${listTexts(grant.featureFilter)}.`]),
    ...grant.relatedAddressComponentFilter.map(
      ({ component, values }) =>
        `Only where ${component} of the related feature is ${anyOf(values)}.`,
    ),
    ...(grant.relatedFeatureFilter.length === 0
      ? []
      : [`Only the related features ${listTexts(grant.relatedFeatureFilter)}.`]),
    ...(grant.showsSmallCells ? ['Small cells are shown too.'] : []),
    ...(grant.liftsDefaultFilters ? ['A request may replace the default filters.'] : []),
    ...spanWords('It holds', grant.from ?? undefined, grant.until ?? undefined),
  ];
}

/** The data that a pattern names, in words. */
export function patternWords(pattern: string): string {
  switch (pattern) {
    case '*':
      return 'everything that is published, now and later';
    case '*.*':
      return 'all datasets, now and later';
    case '*/*':
      return 'all metrics, now and later';
  }
  const isOfMetrics = pattern.includes('/');
  if (!pattern.endsWith('*')) return `the ${isOfMetrics ? 'metric' : 'dataset'} ${pattern}`;
  const [group = '', rest] = pattern.split(isOfMetrics ? '/' : '.');
  if (rest !== '*') return `what has a name like ${pattern}, now and later`;
  return isOfMetrics
    ? `all metrics of the catalog ${group}, now and later`
    : `all datasets of the product ${group}, now and later`;
}

function filterText({ fieldName, operator, value, values }: Grant['filters'][number]): string {
  const words = `${fieldName} ${operatorWord(operator, 'string')}`;
  switch (operatorTakes(operator)) {
    case 'none':
      return words;
    case 'one':
      return `${words} ${value}`;
    case 'list':
      return `${words} ${listTexts(values.map(String))}`;
  }
}

function spanWords(
  start: string,
  from: string | undefined,
  until: string | undefined,
): readonly string[] {
  if (from === undefined && until === undefined) return [];
  const parts = [
    from === undefined ? '' : ` from ${formatDay(from)}`,
    until === undefined ? '' : ` until ${formatDay(until)}`,
  ];
  return [`${start}${parts.join('')}.`];
}

function anyOf(values: readonly string[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${listTexts(values)}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
