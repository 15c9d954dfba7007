import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import type { Unnest } from '../manifest/row-steps.ts';
import { shownValue } from '../problems/import-error.ts';
import { PublishError } from '../problems/publish-error.ts';
import { StepError } from '../steps/step-error.ts';
import { type DraftDataset, type DraftOptions, draftOnce } from './draft-dataset.ts';
import type { HourChoice } from './keys/find-hours.ts';
import { withoutDoubts } from './split-places.ts';
import { type DraftField, strptimePattern } from './values/draft-fields.ts';
import type { DraftUnnest, NestedColumn } from './values/find-nested.ts';
import { distinctName, snake, validName } from './values/valid-name.ts';

/**
 * A dataset with those of its lists of days, and of its maps whose keys are areas. Lists of hours become datasets if the
 * owner has chosen what becomes of hours: they are many rows.
 */
export async function draftNested(
  dataset: DraftDataset,
  options: DraftOptions,
  hours: HourChoice | undefined,
): Promise<DraftDataset> {
  const derived: DraftDataset[] = [];
  const nestedDoubts: string[] = [];
  for (const unnest of planNested(dataset, hours)) {
    const drafted = await draftOnce(dataset.files, options, { areTexts: true, unnest }).catch(
      (error: unknown) => {
        const cause = error instanceof PublishError ? error.cause : undefined;
        if (!(cause instanceof StepError)) throw error;
        nestedDoubts.push(doubtOf(unnest, cause));
      },
    );
    if (drafted === undefined) continue;
    const name = `${dataset.name}_${unnest.suffix}`;
    const own = { ...withoutDoubts(drafted, dataset), name, places: undefined };
    if (unnest.isRelated) derived.push(relatedPlaces(own, `${name}_areas`));
    derived.push(unnest.isRelated ? { ...own, related: unnest.step.name } : own);
  }
  const daily = derived.find(({ unnest }) => unnest?.step.each === 'day');
  const fields = daily === undefined ? dataset.fields : withLengthDoubt(dataset, daily);
  return { ...dataset, fields, derived, nestedDoubts };
}

/** The lists show that a period has more days than its first one. */
function withLengthDoubt(
  { fields, period, nested }: DraftDataset,
  { unnest }: DraftDataset,
): readonly DraftField[] {
  if (period === undefined || period.start !== period.end) return fields;
  const columns = unnest?.step.values.map(({ column }) => column) ?? [];
  const lengths = nested.flatMap((one) => (columns.includes(one.column) ? one.lengths : []));
  const doubt = `The lists of ${columns.join(', ')} have ${[...new Set(lengths)].join(', ')} days, so each period seems to be longer than this day. Here it is this day alone; if other columns are about all days, add a field with the last one, and declare it as the end of the period.`;
  return fields.map((field) =>
    field.name === period.start ? { ...field, doubts: [...field.doubts, doubt] } : field,
  );
}

/** Why lists or maps are in no dataset, with the first value that prevents it. */
function doubtOf({ step }: DraftUnnest, { reason, rows }: StepError): string {
  const value = rows[0]?.value;
  const shown = value === undefined ? '' : `${shownValue(value)} `;
  return `${step.values.map(({ column }) => column).join(', ')}: ${shown}${reason}.`;
}

function planNested(dataset: DraftDataset, hours: HourChoice | undefined): readonly DraftUnnest[] {
  const { period, key, nested, fields } = dataset;
  const isWhole = key.repeatedCount === 0 && key.lacking === undefined;
  if (period === undefined || !isWhole || nested.length === 0) return [];
  const fieldOf = (name: string) => fields.find((field) => field.name === name);
  const ids = key.fields
    .filter((name) => name !== period.start && name !== period.end)
    .map((name) => columnOf(fieldOf(name)));
  const days = [period.start, period.end].map((name) => columnOf(fieldOf(name)));
  const start = startOf(fieldOf(period.start));
  if ([...ids, ...days].some((column) => column === undefined)) return [];
  const kept = [...new Set([...ids, ...days].flatMap((column) => column ?? []))];
  const own = ids.flatMap((column) => column ?? []);
  const daily = nested.filter((column) => isDaily(column, dataset));
  const plans: DraftUnnest[] = [];
  if (daily.length > 0 && start !== undefined) {
    const names = namesFor(dataset, daily);
    const step: Unnest = {
      of: 'list',
      name: names.claim('day'),
      values: daily.map(({ column }) => ({ name: names.claim(valueName(column)), column })),
      start,
      each: 'day',
    };
    const columns = [...own, step.name, ...step.values.map(({ name }) => name)];
    plans.push({ suffix: 'daily', step, columns, key: [...own, step.name], isRelated: false });
  }
  const dailyNames = daily.map(({ column }) => valueName(column));
  for (const column of hours === undefined ? [] : nested) {
    const isOfPeriod = start !== undefined && isHourly(column, dataset);
    // The sums of days that a list has already.
    const isKnown = hours === 'days' && dailyNames.includes(valueName(column.column));
    const isOfDay = hours === 'dimension' && isHoursOfDay(column, dataset);
    if ((!isOfPeriod || isKnown) && !isOfDay) continue;
    const names = namesFor(dataset, [column]);
    const step: Unnest = {
      of: 'list',
      name: names.claim(isOfPeriod ? 'moment' : 'hour'),
      values: [{ name: names.claim(valueName(column.column)), column: column.column }],
      ...(isOfPeriod ? { start } : {}),
      each: 'hour',
    };
    const of = isOfPeriod ? own : kept;
    const values = step.values.map(({ name }) => name);
    plans.push({
      suffix: validName(column.column),
      step,
      columns: [...of, step.name, ...values],
      key: isOfPeriod
        ? [...own, step.name]
        : [...own, ...days.slice(0, 1).flatMap((day) => day ?? []), step.name],
      isRelated: false,
    });
  }
  for (const column of nested) {
    if (!column.hasCodes) continue;
    const names = namesFor(dataset, [column]);
    const word = validName(column.column);
    const step: Unnest = {
      of: 'map',
      name: names.claim(word.replace(/s$/, '')),
      values: [{ name: names.claim(valueName(word)), column: column.column }],
    };
    const columns = [...kept, step.name, ...step.values.map(({ name }) => name)];
    const first = days.slice(0, 1).flatMap((day) => day ?? []);
    const wholeKey = [...own, step.name, ...first];
    plans.push({ suffix: word, step, columns, key: wholeKey, isRelated: true });
  }
  return plans;
}

/** The places that are the keys of maps, as a dataset of its own: the layer of the related places. */
function relatedPlaces(dataset: DraftDataset, name: string): DraftDataset {
  const field = dataset.unnest?.step.name ?? '';
  const values = dataset.keyValues.get(field);
  const count = values?.size ?? 0;
  return {
    ...dataset,
    name,
    combined: { duplicates: 'same', reason: undefined, choices: undefined, isByDesign: true },
    key: { ...dataset.key, fields: [field], repeatedCount: dataset.rowCount - count },
    period: undefined,
    related: undefined,
    totals: [],
    fields: dataset.fields
      .filter((one) => one.name === field)
      .map((one) => ({
        ...one,
        doubts: [
          'If you have a file with the names and points of these areas, make it the layer instead, with a file that init drafts together with this one.',
        ],
      })),
    rowCount: count,
    alternatives: new Map(),
    keyValues: new Map(values === undefined ? [] : [[field, values]]),
    isLayer: true,
    isOfKeys: true,
  };
}

/** How the other lists and maps become datasets, in words for a comment. */
export function nestedNotes({ nested, derived = [] }: DraftDataset): readonly string[] {
  const used = derived.flatMap(({ unnest }) => unnest?.step.values ?? []);
  return nested
    .filter(({ column }) => used.every((value) => value.column !== column))
    .map(({ column, of, lengths, examples }) => {
      const name = /hour/i.test(column) || lengths[0] === 24 ? 'hour' : 'position';
      if (of === 'map')
        return `${column}: - unpivot: { name: key, map: ${column} }   # ${examples.join(', ')}, …`;
      const each = lengths.length === 1 && lengths[0] === 24 ? ', each: hour' : '';
      const hint = name === 'hour' ? '; or run init with --hours dimension' : '';
      return `${column}: - unpivot: { name: ${name}, list: ${column}${each} }   # ${lengths.join(', ')} numbers${hint}`;
    });
}

/** Whether lists have a number for each day of the period of their row. Those of another length are found later. */
function isDaily({ of, column, lengths }: NestedColumn, { period }: DraftDataset): boolean {
  const unit = period?.cadence ?? period?.unit ?? '';
  if (of !== 'list') return false;
  const isWeek = lengths.includes(7);
  const isMonth = lengths.some((length) => length >= 28 && length <= 31);
  // A start alone does not show how long a period is, but the name and the length of the list do.
  if (unit === 'day') return DAILY_NAME.test(snake(column)) && (isWeek || isMonth);
  if (unit.startsWith('week')) return isWeek;
  return isMonth && (unit === 'month' || unit === 'monthly');
}

const DAILY_NAME = /(^|_)((by|per|each)_(each_)?day|daily|tage?|jours?|dias?)($|_)/;

/** Whether lists have a number for each hour of the period of their row. */
function isHourly({ of, lengths }: NestedColumn, { period }: DraftDataset): boolean {
  const unit = period?.cadence ?? period?.unit ?? '';
  if (of !== 'list') return false;
  if (unit.startsWith('week')) return lengths.includes(7 * 24);
  const isMonth = unit === 'month' || unit === 'monthly';
  return isMonth && lengths.some((length) => length >= 28 * 24 && length % 24 === 0);
}

/** Whether lists have a number for each hour of the day, over a longer period. */
function isHoursOfDay({ of, column, lengths }: NestedColumn, { period }: DraftDataset): boolean {
  const isLong = period !== undefined && period.start !== period.end;
  return (
    of === 'list' &&
    isLong &&
    lengths.every((length) => length === 24) &&
    /hour|stunde|heure|hora/i.test(column)
  );
}

/** The name of the numbers: visits of visits_by_day, visitors of visitor_home_cbgs. */
function valueName(column: string): string {
  const word = validName(column).replace(/_by_.*$|_(per|each)_.*$/, '');
  if (word !== validName(column)) return word;
  const [, person] = /^(visitor|visit|device|trip|customer|person)s?_/.exec(word) ?? [];
  return person === undefined ? 'value' : `${person}s`;
}

function namesFor({ columns }: DraftDataset, used: readonly NestedColumn[]) {
  const taken = new Set(
    columns
      .filter((column) => used.every((one) => one.column !== column))
      .map((column) => column.toLowerCase()),
  );
  return {
    claim: (name: string): string => {
      const free = distinctName(name, taken);
      taken.add(free);
      return free;
    },
  };
}

function columnOf(field: DraftField | undefined): string | undefined {
  return field?.column;
}

/** SQL of the first day, if the day is that of the text, and not of a time zone. */
function startOf(field: DraftField | undefined): string | undefined {
  const column = columnOf(field);
  if (field === undefined || column === undefined) return undefined;
  const { format = 'YYYY-MM-DD', zone } = field.document;
  // A single word can be one of SQL.
  const text = /^[a-z]+(_[a-z0-9]+)+$/.test(column) ? column : quoteIdentifier(column);
  if (zone !== undefined && zone !== 'local') return undefined;
  if (format.startsWith('YYYY-MM-DD')) return text;
  return `strptime(trim(${text}), ${quoteLiteral(strptimePattern(format))})`;
}
