import { TABLE_FORMAT_NAMES, type TableFormat } from '@locmetrics/contract/table-formats';
import { dayText, isCalendarDate } from '@locmetrics/core/dates/calendar-date';
import { USAGE_GROUPS, type UsageGroup } from '@locmetrics/core/domain/usage-group';
import type { UsageRecord } from '@locmetrics/core/domain/usage-record';
import { encodeTable } from '@locmetrics/core/encoding/encode-table';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import type { UsagePeriod } from '@locmetrics/server/metering/usage-query';
import type { UsageReads } from '@locmetrics/server/metering/usage-store';
import type { Run, Switches, Texts } from '../../cli/define-command.ts';
import { formatTable, jsonLine, type Output } from '../../cli/output.ts';
import { openDirectory, usagePlace, withStoreOf } from '../../compose/open-data.ts';
import { openUsageStore } from '../../compose/open-usage-store.ts';
import { ConfigError } from '../../config/config-error.ts';
import { readListFlag } from './read-flag.ts';

type UsageFlags = Texts<'org' | 'from' | 'to' | 'by'> & Switches<'records' | 'json' | TableFormat>;

export const printUsageAction: Run<UsageFlags> = async (output, flags) => {
  const period = readPeriod(flags);
  const groupBy = readGroups(flags.by ?? 'organisation');
  const opened = openDirectory({ settings: flags.settings, output });
  const { org } = flags;
  // A mistyped organisation must not look like one without usage.
  if (org !== undefined) await withStoreOf(opened, (store) => store.checkOrganisation(org));
  const usage = await openUsageStore(usagePlace(opened));
  try {
    const completeUntil = new Date().toISOString();
    await usage.reading((reads) =>
      flags.records
        ? printRecords(output, reads, { ...flags, ...period })
        : printSums(output, reads, { ...flags, ...period, groupBy, completeUntil }),
    );
  } finally {
    await usage.close();
  }
};

async function printSums(
  output: Output,
  usage: UsageReads,
  {
    groupBy,
    completeUntil,
    from,
    to,
    org,
    json,
    ...flags
  }: UsageFlags &
    UsagePeriod & { readonly groupBy: readonly UsageGroup[]; readonly completeUntil: string },
): Promise<void> {
  const format = tableFormatOf(flags);
  const rowsMax = Number.MAX_SAFE_INTEGER - 1;
  const query = { organisationId: org, from, to, groupBy, after: undefined, rowsMax };
  const { rows, total } = await usage.read(query);
  const cells = rows.map((row) => [...row.groups, row.requests, row.rows, row.bytes]);
  const columns = [...groupBy, 'requests', 'rows', 'bytes'];
  if (json) {
    const entries = cells.map((row) => namedCells(columns, row));
    output.data(jsonLine({ from, to, completeUntil, usage: entries, total }));
  } else if (format !== undefined) {
    output.data(encodeTable(format, columns, cells));
  } else if (rows.length === 0) {
    output.messages(`No usage from ${from} to ${to}.\n`);
  } else {
    output.data(table(columns, cells));
  }
}

function tableFormatOf(flags: Pick<UsageFlags, TableFormat>): TableFormat | undefined {
  return TABLE_FORMAT_NAMES.find((name) => flags[name] === true);
}

const RECORD_COLUMNS = [
  'time',
  'organisation',
  'token',
  'operation',
  'dataset',
  'rows',
  'bytes',
  'requestId',
] as const;

/** Records are printed in batches: they may not fit into memory. */
const PIECE_RECORDS = 1000;

async function printRecords(
  output: Output,
  usage: UsageReads,
  { from, to, org, json, ...flags }: UsageFlags & UsagePeriod,
): Promise<void> {
  const format = tableFormatOf(flags);
  const organisations = org === undefined ? await usage.organisations({ from, to }) : [org];
  let isFirst = true;
  for await (const piece of inPieces(recordsOf(usage, organisations, { from, to }))) {
    const rows = piece.map(recordCells);
    if (json) {
      const lines = rows.map((row) => JSON.stringify(namedCells(RECORD_COLUMNS, row)));
      output.data(`${lines.join('\n')}\n`);
    } else if (format !== undefined) {
      const text = encodeTable(format, RECORD_COLUMNS, rows);
      output.data(isFirst ? text : text.slice(text.indexOf('\n') + 1));
    } else {
      output.data(table(RECORD_COLUMNS, rows));
    }
    isFirst = false;
  }
  if (isFirst) output.messages(`There are no records from ${from} to ${to}.\n`);
}

async function* recordsOf(
  usage: UsageReads,
  organisations: readonly string[],
  period: UsagePeriod,
): AsyncIterable<UsageRecord> {
  for (const organisationId of organisations) yield* usage.records({ ...period, organisationId });
}

async function* inPieces(
  records: AsyncIterable<UsageRecord>,
): AsyncIterable<readonly UsageRecord[]> {
  let piece: UsageRecord[] = [];
  for await (const record of records) {
    piece.push(record);
    if (piece.length < PIECE_RECORDS) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

function recordCells(record: UsageRecord): readonly (string | number)[] {
  const { time, organisationId, tokenId, operation, resource, rows, bytes, requestId } = record;
  const at = new Date(time).toISOString();
  return [at, organisationId, tokenId, operation, resource, rows, bytes, requestId];
}

function namedCells(columns: readonly string[], cells: readonly (string | number)[]) {
  return Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
}

function table(
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const names = columns.map((name) => (name === 'requestId' ? 'REQUEST ID' : name.toUpperCase()));
  return formatTable(
    names,
    rows.map((row) => row.map(String)),
  );
}

function readPeriod({ from, to }: UsageFlags): UsagePeriod {
  const last = readDay(to ?? dayText(Date.now()), '--to');
  const first = readDay(from ?? `${last.slice(0, 'YYYY-MM'.length)}-01`, '--from');
  if (first <= last) return { from: first, to: last };
  throw new ConfigError(
    `The first day ${first} is after the last day ${last}.`,
    'Swap --from and --to.',
  );
}

function readDay(text: string, flag: string): string {
  if (isCalendarDate(text)) return text;
  throw new ConfigError(
    `${flag}: '${text}' is not a calendar date.`,
    `Write for example ${flag} 2026-01-31.`,
  );
}

function readGroups(text: string): readonly UsageGroup[] {
  const names = readListFlag('--by', text);
  const groups = names.map((name) => {
    const found = USAGE_GROUPS.find((one) => one === name);
    if (found !== undefined) return found;
    throw new ConfigError(
      `--by: usage cannot be grouped by '${name}'.`,
      nameHint(name, USAGE_GROUPS),
    );
  });
  return [...new Set(groups)];
}
