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
  places,
}: Pick<DraftDataset, 'totals' | 'key' | 'places'>): ReadonlyMap<string, string> {
  // A name alone is enough for a part of the key that is no place: the metric needs a default there.
  const isPart = (field: string) =>
    places !== undefined && places.id !== field && key.fields.includes(field);
  const fields = Map.groupBy(
    totals.filter(
      ({ field, kind, proof, isNamed, hasOthers }) =>
        kind !== 'beginning' &&
        kind !== 'ending' &&
        kind !== 'code_length' &&
        kind !== 'blank' &&
        (proof !== undefined || (isNamed === true && isPart(field))) &&
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
  { field, value, kind, proof, isNamed, isWorld = false, levels, blank = [] }: FoundTotal,
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
  if (kind === 'state') {
    const counties = stringify(`right(${column}, 3) <> '000'`, {
      lineWidth: 0,
      defaultStringType: 'QUOTE_SINGLE',
    }).trim();
    const shown = (levels ?? []).slice(0, SHOWN_MAX).join(', ');
    return `Codes of ${field} that end with 000 are those of states or of the whole country, among those of counties: ${shown}. So that callers do not count twice, leave them out: add to rows: - where: ${counties}`;
  }
  if (kind === 'code_length') {
    const added = proof === undefined ? '' : ', and their numbers add up';
    const kept = stringify(`length(${column}) = ${value}`, {
      lineWidth: 0,
      defaultStringType: 'QUOTE_SINGLE',
    }).trim();
    return `The codes of ${field} have several levels, such as ${(levels ?? []).join(', ')}: longer codes begin with shorter ones${added}. So that callers do not count twice, leave all but one level out: add to rows: - where: ${kept}`;
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
  if (isNamed === true) {
    const rows = `Rows with ${field} ${shownValue} seem to be about all others together, by their name.`;
    return isDeclared
      ? `${rows} totals keeps callers from mixing them with the others. To leave these rows out, delete totals, and ${leaveOut}`
      : `${rows} If they are, leave them out: ${leaveOut}`;
  }
  if (proof === undefined) {
    return `Rows with ${field} ${shownValue} may be the sum of others, because the numbers nearly add up, or would with those that are absent. If they are, add totals: { ${field}: ${value} }, or leave them out: ${leaveOut}`;
  }
  const { measure, equal, groups } = proof;
  const shown = groups === 1 ? '' : ` in ${equal} of ${groups} groups`;
  const rows = kind === 'blank' ? `Rows without ${lack}` : `Rows with ${field} ${shownValue}`;
  const found = `${rows} are the sums of others: ${measure} adds up${shown}.`;
  return isDeclared
    ? `${found} totals keeps callers from counting twice. To leave these rows out, delete totals, and ${leaveOut}`
    : `${found} So that callers do not count twice, leave one level out: ${leaveOut}`;
}

const SHOWN_MAX = 3;
