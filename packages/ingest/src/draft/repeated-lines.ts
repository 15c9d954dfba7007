import type { DraftDataset } from './draft-dataset.ts';
import type { RuleEffect } from './keys/combine-repeated.ts';
import type { DraftField } from './values/draft-fields.ts';

/** The comment about rows with the key of another row, and the step that combines them, or the choices. */
export type RepeatedLines = {
  /** Whether the text is a doubt that the owner has to settle. */
  readonly isDoubt: boolean;
  readonly text: string;
  /** Steps; with choices each of them is a comment. */
  readonly steps: readonly string[];
  readonly areChoices: boolean;
};

export function repeatedLines({
  combined: { duplicates, reason, choices, isByDesign },
  key: { repeatedCount, conflictCount, fields },
  rowCount,
  fields: allFields,
}: DraftDataset): RepeatedLines | undefined {
  if (choices === undefined) {
    if (duplicates === undefined) return undefined;
    const equal =
      isByDesign === true
        ? 'The rows of each period have the places again, and each place is kept once.'
        : `Rows that are equal to another row: ${count(repeatedCount)}. Each is kept once, as a copy.`;
    const text =
      reason === undefined ? equal : `${foundText(repeatedCount, conflictCount)} ${reason}`;
    return {
      isDoubt: isByDesign !== true,
      text,
      steps: [`- duplicates: ${duplicates}`],
      areChoices: false,
    };
  }
  const { example, rules, means, unclear } = choices;
  const columns = columnsOf(fields, allFields);
  // Without a number, nothing is lost by counting the rows.
  const areEvents = rules.every(({ totals }) => totals.length === 0);
  const counting =
    columns && `aggregate: { by: [${columns.join(', ')}], values: { events: { count: '*' } } }`;
  const parts = [
    foundText(repeatedCount, conflictCount),
    `For example, ${example}.`,
    conflictCount === 0
      ? `They are equal in all fields: either copies, or events that a step counts${counting === undefined ? '' : `, such as ${counting}`}.`
      : areEvents && counting !== undefined
        ? `If each row is an event, the step aggregate counts them: then keep only the fields of the key and of the period, and add events: { type: integer }.`
        : '',
    means.length > 0
      ? `Sums of ${means.join(', ')} are meaningless; the step aggregate takes a mean.`
      : '',
    unclear.length > 0
      ? `Neither the name nor the values of ${unclear.join(', ')} show whether it can be summed.`
      : '',
    'No field tells them apart, so nothing is published until you choose: another key, or one of these, without its #.',
  ];
  return {
    isDoubt: true,
    text: parts.filter((part) => part !== '').join(' '),
    steps: [
      ...(areEvents && counting !== undefined
        ? [`- ${counting}  # ${count(rules[0]?.records ?? 0)} records of ${count(rowCount)} rows`]
        : []),
      ...rules.map((effect) => `- duplicates: ${effect.rule}  # ${effectText(effect, rowCount)}`),
    ],
    areChoices: true,
  };
}

/** The columns of fields as steps name them; undefined if one is computed. */
function columnsOf(
  names: readonly string[],
  fields: readonly DraftField[],
): readonly string[] | undefined {
  const columns = names.flatMap((name) => {
    const { column = name, expression } = fields.find((one) => one.name === name)?.document ?? {};
    if (expression !== undefined || typeof column === 'object') return [];
    return typeof column === 'number' ? `column ${column}` : quotedColumn(column);
  });
  return columns.length === names.length ? columns : undefined;
}

/** A column within the brackets of a list. */
function quotedColumn(column: string): string {
  return /^[\p{L}_][\p{L}\p{N}_ ./()-]*$/u.test(column)
    ? column
    : `'${column.replaceAll("'", "''")}'`;
}

function foundText(repeatedCount: number, conflictCount: number): string {
  const agree = count(repeatedCount - conflictCount);
  return `Rows with the key of another row: ${count(repeatedCount)}. ${agree} of them agree with it, and ${count(conflictCount)} differ.`;
}

function effectText({ rule, records, leftOut, totals }: RuleEffect, rowCount: number): string {
  const rows = `${count(records)} ${records === 1 ? 'record' : 'records'} of ${count(rowCount)} rows`;
  const lost = leftOut === 0 ? '' : `, ${count(leftOut)} ${LOST[rule] ?? 'left out'}`;
  const sums = totals.map(({ field, total, ofFile }) => {
    const whole = total === ofFile ? ' as in the file' : ` of ${number(ofFile)}`;
    return `${field} ${number(total)}${whole}`;
  });
  return [`${rows}${lost}`, ...(sums.length === 0 ? [] : [`total ${sums.join(', ')}`])].join('; ');
}

const LOST: Readonly<Record<string, string>> = { min: 'combined', max: 'combined' };

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}
