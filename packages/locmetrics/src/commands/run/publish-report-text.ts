import type {
  GroupChanges,
  PublishReport,
  Total,
} from '@locmetrics/data-directory/versions/publish-report';
import { escapeControls } from '@locmetrics/ingest/problems/import-error';
import { jumpText, numberText, percentText } from '@locmetrics/ingest/problems/jump-text';
import { grantLossLines } from '@locmetrics/ingest/publish/check-grant-losses';
import { formatTable } from '../../cli/output.ts';

/**
 * A report for a terminal: first the rejected rows, then the changes, then the fields. Long lists are
 * truncated, with `whole` as the place that has all of them: a check writes no report.json.
 */
export function publishReportText(
  report: PublishReport,
  whole: 'in report.json' | 'with --json',
): string {
  const parts: readonly (readonly [label: string, lines: readonly string[]])[] = [
    ['rows', [rowsText(report)]],
    ['rejected', rejectedLines(report, whole)],
    ['before', beforeLines(report)],
    ['schema', schemaLines(report, whole)],
    ['grants', grantLossLines(report.grantLosses)],
    ['periods', changeLines(report, 'periods')],
    ['features', changeLines(report, 'features')],
    ['totals', totalLines(report)],
    ['fields', fieldLines(report, whole)],
  ];
  return parts
    .flatMap(([label, lines]) =>
      lines.map((line, index) => `  ${(index === 0 ? label : '').padEnd(10)}${line}`),
    )
    .map((line) => `${escapeControls(line)}\n`)
    .join('');
}

function rowsText({ rows, rowsPerSecond }: PublishReport): string {
  const counts: readonly (readonly [number, string])[] = [
    [rows.rejected, 'rejected'],
    [rows.carriedOver, 'carried over from the previous version'],
    [rows.replaced, 'of the previous version replaced'],
  ];
  return [
    `${numberText(rows.read)} read`,
    `${numberText(rows.kept)} kept`,
    ...counts.flatMap(([count, what]) => (count === 0 ? [] : `${numberText(count)} ${what}`)),
    `${numberText(rowsPerSecond)} a second`,
  ].join(', ');
}

function rejectedLines({ rejected }: PublishReport, whole: string): readonly string[] {
  const lines = rejected
    .toSorted((left, right) => right.count - left.count)
    .map(({ field, reason, count, examples }) => [
      `${numberText(count)} × ${field === null ? '' : `${field} `}${reason}`,
      ...some(examples, count, REJECTED_EXAMPLES_MAX).map((example) => `  ${example}`),
    ]);
  return cut(lines, REASONS_MAX, `reasons ${whole}`).flat();
}

function beforeLines({ before, rowCountBefore, rows }: PublishReport): readonly string[] {
  if (before === null) return [];
  const change = rowCountBefore === null ? '' : percentText(rowCountBefore, rows.total);
  return [
    `${numberText(rowCountBefore)} → ${numberText(rows.total)} ${rows.total === 1 ? 'record' : 'records'}${change}, version ${before}`,
  ];
}

function schemaLines({ schema }: PublishReport, whole: string): readonly string[] {
  const lines = schema.map(({ change, isBreaking }) => [
    isBreaking ? `breaks callers: ${change}` : change,
  ]);
  return cut(lines, SCHEMA_CHANGES_MAX, `changes ${whole}`).flat();
}

function changeLines(report: PublishReport, what: 'periods' | 'features'): readonly string[] {
  const changes = report[what];
  if (changes === null) return [];
  const reasons = report.notCompared.filter((one) => one.what === what).map(({ reason }) => reason);
  const count = `${numberText(changes.count)} (${changes.field})`;
  if (report.before === null) return [count];
  if (reasons.length > 0) return [`${count}, not compared. ${reasons.join(' ')}`];
  const { appeared, vanished, changed = 0, jumped, jumpPercent } = changes;
  const reported = [
    ...(appeared.count === 0 ? [] : [`${numberText(appeared.count)} appeared`]),
    ...(vanished.count === 0 ? [] : [`${numberText(vanished.count)} vanished`]),
    ...(changed === 0 ? [] : [`${numberText(changed)} corrected`]),
    ...(jumped.count === 0
      ? []
      : [`${numberText(jumped.count)} changed by more than ${jumpPercent}%`]),
  ];
  const same = what === 'periods' || report.periods === null ? '' : ' in periods of both versions';
  return [`${count}: ${reported.join(', ') || `no change${same}`}`, ...exampleLines(changes)];
}

function exampleLines({ appeared, vanished, jumped }: GroupChanges): readonly string[] {
  const named = (label: string, { count, examples }: GroupChanges['appeared']) =>
    count === 0 ? [] : [`  ${label}: ${some(examples, count).join(', ')}`];
  return [
    ...named('appeared', appeared),
    ...named('vanished', vanished),
    ...some(jumped.examples.map(jumpText), jumped.count).map((line) => `  ${line}`),
  ];
}

/** The sum of each measure, the periods whose sums differ, and the features that changed most in corrected ones. */
function totalLines({ totals = [], periods }: PublishReport): readonly string[] {
  return totals.flatMap(({ field, overall, periods: changed, features }) => {
    if (changed.count + features.count === 0 && overall?.before === overall?.after) return [];
    const where = periods === null ? '' : ' in corrected periods';
    return [
      overall === null ? field : `${field} ${changeText(overall)}`,
      ...some(changed.examples.map(totalText), changed.count).map((line) => `  ${line}`),
      ...(features.count === 0 ? [] : [`  changed most${where}:`]),
      ...some(features.examples.map(totalText), features.count).map((line) => `    ${line}`),
    ];
  });
}

function totalText({ of, ...change }: Total): string {
  return `${of}: ${changeText(change)}`;
}

function changeText({ before, after }: Omit<Total, 'of'>): string {
  return `${numberText(before)} → ${numberText(after)}${percentText(before, after)}`;
}

/** Numbers, dates, and fields with absent values: the least and the greatest text say little. */
function fieldLines({ fields }: PublishReport, whole: string): readonly string[] {
  const reported = fields.filter(
    ({ type, absent }) => absent > 0 || !['string', 'boolean'].includes(type),
  );
  if (reported.length === 0) return [];
  const rows = reported
    .slice(0, FIELDS_MAX)
    .map(({ name, absent, least, greatest }) => [
      name,
      absent === 0 ? '-' : numberText(absent),
      shortened(least),
      shortened(greatest),
    ]);
  const table = formatTable(['name', 'absent', 'least', 'greatest'], rows).trimEnd().split('\n');
  const hidden = fields.length - rows.length;
  return hidden === 0 ? table : [...table, `… and ${numberText(hidden)} more ${whole}`];
}

const EXAMPLES_MAX = 3;
/** An example of a rejected row is a line. */
const REJECTED_EXAMPLES_MAX = 2;
const REASONS_MAX = 5;
const SCHEMA_CHANGES_MAX = 8;
const FIELDS_MAX = 8;
const CELL_CHARACTERS_MAX = 24;

function some(examples: readonly string[], count: number, most = EXAMPLES_MAX): readonly string[] {
  const shown = examples.slice(0, most);
  const hidden = count - shown.length;
  return hidden === 0 ? shown : [...shown, `… and ${numberText(hidden)} more`];
}

function cut(
  lines: readonly (readonly string[])[],
  most: number,
  what: string,
): readonly (readonly string[])[] {
  const hidden = lines.length - most;
  return hidden <= 0
    ? lines
    : [...lines.slice(0, most), [`… and ${numberText(hidden)} more ${what}`]];
}

function shortened(text: string | null): string {
  const characters = [...(text ?? '-')];
  if (characters.length <= CELL_CHARACTERS_MAX) return characters.join('');
  return `${characters.slice(0, CELL_CHARACTERS_MAX - 1).join('')}…`;
}
