import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { stringify } from 'yaml';
import type { DraftDataset } from './draft-dataset.ts';
import { hasOneOf } from './keys/find-nested-totals.ts';
import type { FoundTotal } from './keys/found-total.ts';

/**
 * The value that stands for the totals of each field, as the manifest declares it. Levels of the key would be a dimension,
 * and then a metric would return the totals instead of the places.
 */
export function declaredTotals({
  totals,
  key,
}: Pick<DraftDataset, 'totals' | 'key'>): ReadonlyMap<string, string> {
  const fields = Map.groupBy(
    totals.filter(
      ({ kind, proof, hasOthers }) =>
        kind !== 'beginning' &&
        kind !== 'ending' &&
        kind !== 'code_length' &&
        kind !== 'blank' &&
        proof !== undefined &&
        hasOthers !== true,
    ),
    ({ field }) => field,
  );
  return new Map(
    [...fields].flatMap(([field, [only, ...more]]) => {
      const isDimension = only?.kind === 'level' && key.fields.includes(field);
      return only === undefined || more.length > 0 || isDimension ? [] : [[field, only.value]];
    }),
  );
}

/** What is doubtful about records that are sums of others, and what to do. */
export function totalDoubt(
  { field, value, kind, proof, isWorld = false, levels, blank = [] }: FoundTotal,
  { column, isDeclared }: { readonly column: string; readonly isDeclared: boolean },
): string {
  const those = { beginning: `that begins with '${value}'`, ending: `that ends with '${value}'` };
  const lack = blank.length === 1 ? blank[0] : `any of ${blank.join(', ')}`;
  const shownValue = kind === 'beginning' || kind === 'ending' ? those[kind] : `'${value}'`;
  const condition =
    kind === 'beginning'
      ? `NOT starts_with(${column}, ${quoteLiteral(value)})`
      : kind === 'ending'
        ? `NOT ends_with(${column}, ${quoteLiteral(` ${value}`)})`
        : kind === 'blank'
          ? hasOneOf(blank)
          : `${column} <> ${quoteLiteral(value)}`;
  const where = stringify(condition, { lineWidth: 0, defaultStringType: 'QUOTE_SINGLE' }).trim();
  const leaveOut = `add to rows: - where: ${where}`;
  if (kind === 'code_length') {
    const kept = stringify(`length(${column}) = ${value}`, {
      lineWidth: 0,
      defaultStringType: 'QUOTE_SINGLE',
    }).trim();
    return `The codes of ${field} have several levels, such as ${(levels ?? []).join(', ')}: longer codes begin with shorter ones, and their numbers add up. So that callers do not count twice, leave all but one level out: add to rows: - where: ${kept}`;
  }
  if (levels !== undefined) {
    const kept = stringify(`${column} = ${quoteLiteral(value)}`, {
      lineWidth: 0,
      defaultStringType: 'QUOTE_SINGLE',
    }).trim();
    return `Places of several levels are in one table, by ${field}: ${levels.join(', ')}. So that callers do not count twice, leave all but one level out: add to rows: - where: ${kept}`;
  }
  if (isWorld) {
    return `Rows with ${field} ${shownValue} seem to be the sum of others, because none has a greater value in any period. Others, such as continents, can be sums too. So that callers do not count twice, leave all but one level out: ${leaveOut}`;
  }
  if (proof === undefined) {
    return `Rows with ${field} ${shownValue} may be the sum of others, because the numbers nearly add up. If they are, add totals: { ${field}: ${value} }, or leave them out: ${leaveOut}`;
  }
  const { measure, equal, groups } = proof;
  const shown = groups === 1 ? '' : ` in ${equal} of ${groups} groups`;
  const rows = kind === 'blank' ? `Rows without ${lack}` : `Rows with ${field} ${shownValue}`;
  const found = `${rows} are the sums of others: ${measure} adds up${shown}.`;
  return isDeclared
    ? `${found} totals keeps callers from counting twice. To leave these rows out, delete totals, and ${leaveOut}`
    : `${found} So that callers do not count twice, leave one level out: ${leaveOut}`;
}
