import { basename } from 'node:path';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { FILE_FORMATS } from '../manifest/file-formats.ts';
import type { NameColumn } from '../manifest/name-pattern.ts';
import { SPACES, WIDE_SPACES } from '../manifest/read-schema.ts';
import { isAddress, shownAddress } from '../manifest/source-address.ts';
import type { DraftDataset, UnreadColumn } from './draft-dataset.ts';
import { nestedNotes } from './draft-nested.ts';
import { chanceDoubt, eventLines } from './event-lines.ts';
import type { InspectedFile } from './files/inspect-file.ts';
import type { LeftFile } from './files/list-draft-files.ts';
import { isMeasure } from './keys/combine-repeated.ts';
import type { DailyStep } from './keys/daily-sums.ts';
import { nameKeyDoubt } from './keys/find-name-key.ts';
import type { DraftLayer, DraftMetric } from './relate-datasets.ts';
import { isPlaceName } from './relate-datasets.ts';
import { repeatedLines } from './repeated-lines.ts';
import { declaredTotals, totalDoubt } from './total-doubt.ts';
import { midnightStep } from './values/bare-midnights.ts';
import type { DraftField } from './values/draft-fields.ts';
import type { DraftUnnest } from './values/find-nested.ts';
import type { WideColumns } from './values/find-wide-columns.ts';
import { type JoinedColumn, joinedColumnQuery } from './values/joined-column.ts';
import { ROWS_MAX } from './values/open-rows.ts';
import { flowText } from './yaml-text.ts';

export type DraftText = {
  readonly schema: string;
  /** A file as the manifest names it. */
  readonly pathOf: (file: InspectedFile) => string;
  readonly datasets: readonly DraftDataset[];
  readonly layers: readonly DraftLayer[];
  readonly metrics: readonly DraftMetric[];
  /** Why there are no layers and metrics, though some were found. */
  readonly leftOut?: string;
  /** Files of a folder that seem to have data, and are not in the draft. */
  readonly unread: readonly LeftFile[];
};

/** The text of a first manifest, with what is not certain in comments above the line that it is about. */
export function manifestText(draft: DraftText): string {
  const { schema, pathOf, datasets, layers, metrics, leftOut, unread } = draft;
  const written = lines(
    `# yaml-language-server: $schema=${schema}`,
    `# Written by locmetrics init. Comments with CHECK mark what it could not determine.`,
    'format: 1',
    unread.flatMap(({ path, reason }) =>
      doubt(0, `Not in this draft: ${basename(path)} ${reason}.`),
    ),
    leftOut !== undefined && doubt(0, leftOut),
    'datasets:',
    datasets.flatMap((dataset) => datasetLines(dataset, pathOf, layers)),
    layers.length > 0 && ['layers:', ...layers.flatMap(layerLines)],
    metrics.length > 0 && ['metrics:', ...metrics.flatMap(metricLines)],
  );
  return `${written.join('\n')}\n`;
}

function datasetLines(
  dataset: DraftDataset,
  pathOf: DraftText['pathOf'],
  layers: readonly DraftLayer[],
): readonly string[] {
  const { files, key, point, region, pointDoubt, period, rowCount } = dataset;
  const { emptyColumns, unreadColumns } = dataset;
  const [first] = files;
  const paths = [...new Set(files.map(pathOf))];
  const isStepped =
    dataset.wide !== undefined || dataset.unnest !== undefined || dataset.daily?.choice === 'days';
  const stepped = isStepped ? ' after the steps' : '';
  const layer = layers.find((one) => one.dataset === dataset.name);
  const leftOutCount = dataset.rejectedCount + (dataset.wrongShapes?.count ?? 0);
  return lines(
    `  ${dataset.name}:`,
    first !== undefined && blockDoubts(first).flatMap((text) => doubt(4, text)),
    (first?.doubts.get('files') ?? []).flatMap((text) => doubt(4, text)),
    dataset.isLimited && note(4, `Only the first ${count(ROWS_MAX)} rows of each file were read.`),
    first !== undefined &&
      hasSecret(first) &&
      doubt(4, 'If the URL contains a secret, keep this file secret too.'),
    `    files: ${flowText(paths.length === 1 ? (paths[0] ?? '') : paths)}`,
    first?.isNamed === false && `    format: ${first.format}`,
    first && readLines(first, dataset.nulls),
    rowsLines(dataset),
    dataset.rejectedCount > 0 &&
      doubt(
        4,
        `${rows(dataset.rejectedCount)} cannot be read and would be left out: ${dataset.rejectedExample}`,
      ),
    dataset.wrongShapes && doubt(4, dataset.wrongShapes.doubt),
    leftOutCount > 0 && `    accept: { rejected_rows: ${leftOutCount} }`,
    note(
      4,
      `${rows(rowCount)}${stepped}${key.repeatedCount === 0 ? ', each with a different key' : ''}.`,
    ),
    keyDoubts(dataset).flatMap((text) => doubt(4, text)),
    eventLines(dataset),
    `    key: ${flowText([...key.fields])}`,
    totalLines(dataset),
    pointDoubt !== undefined && doubt(4, pointDoubt),
    point && [
      ...regionLines(region),
      `    point: { latitude: ${point.latitude}, longitude: ${point.longitude} }`,
    ],
    dataset.outlineDoubt !== undefined && doubt(4, dataset.outlineDoubt),
    dataset.outline !== undefined && `    outline: ${dataset.outline}`,
    period && `    period: { start: ${period.start}, end: ${period.end} }`,
    emptyColumns.length > 0 &&
      note(4, `Columns without a value are left out: ${emptyColumns.join(', ')}.`),
    nestedLines(dataset),
    unreadColumns.flatMap((one) => doubt(4, unreadDoubt(one))),
    note(4, marksNote(dataset, layer)),
    '    fields:',
    groupedFields(dataset),
    layer && areaLines(dataset),
  );
}

/** Why a column is no field, and how its values can be served. */
function unreadDoubt({ column, example = '' }: UnreadColumn): string {
  const name = quoteIdentifier(column);
  const shown = example.length > SHOWN_MAX ? `${example.slice(0, SHOWN_MAX)}…` : example;
  const found = `The values of ${column} match no type${example === '' ? '' : `, such as '${shown}'`}, so the column is left out.`;
  return /^[[{]/.test(example)
    ? `${found} To serve them as text, declare { type: string, expression: '${name}' }. To serve what they contain, write a file with a row for each of their values.`
    : `${found} If they are times, their day is { type: date, expression: 'left(${name}, 10)' } and their hour { type: string, expression: 'substr(${name}, 12, 2)' }.`;
}

const SHOWN_MAX = 60;

/** The columns with lists and maps, and how those that are nowhere become datasets. */
function nestedLines(dataset: DraftDataset): readonly string[] {
  const { nested, nestedDoubts = [] } = dataset;
  if (nested.length === 0) return [];
  const names = nested.map(({ column }) => column);
  const others = nestedNotes(dataset);
  return lines(
    note(4, `Columns with lists and maps are no fields here: ${names.join(', ')}.`),
    nestedDoubts.flatMap((text) => doubt(4, text)),
    others.length > 0 && [
      ...note(4, 'These are in no dataset. Each becomes one with its step under rows:'),
      ...others.map((text) => `    #   ${text}`),
    ],
  );
}

function blockDoubts({ block, blocks }: InspectedFile): readonly string[] {
  if (block === undefined) return [];
  const shown = blocks.map(({ first, last, names }) => `${first} to ${last} (${names.join(', ')})`);
  return [
    `The file has ${blocks.length} tables side by side, in the columns ${shown.join(' and ')}. This dataset is the one from column ${block.first} on.`,
  ];
}

/** Fields whose columns are named by words after steps, and beside expressions: there they have no position. */
function namedColumns(dataset: DraftDataset): readonly DraftField[] {
  const { files, fields, blank, totalRows, unlisted, lacking, wide, unnest, ownNulls } = dataset;
  const filled = dataset.fillDown?.isStep === true ? dataset.fillDown : undefined;
  const steps = [blank, dataset.codeRows, filled, totalRows, unlisted, lacking, wide, unnest];
  const isStepped =
    files[0]?.reading.fileName !== undefined ||
    files[0]?.reading.sheetName !== undefined ||
    ownNulls.length > 0 ||
    dataset.midnights.length > 0 ||
    dataset.renamed.size > 0 ||
    dataset.joined !== undefined ||
    dataset.daily?.choice === 'days' ||
    steps.some((step) => step !== undefined) ||
    fields.some(({ document }) => document.expression !== undefined);
  if (!isStepped || files[0]?.reading.hasHeader !== true) return fields;
  const toName = (column: string | number) =>
    typeof column === 'number' ? `column ${column}` : column;
  return fields.map((field) => {
    const { column } = field.document;
    if (column === undefined) return field;
    const named = typeof column === 'object' ? column.map(toName) : toName(column);
    return { ...field, document: { ...field.document, column: named } };
  });
}

function regionLines(region: DraftDataset['region']): readonly string[] {
  if (region === undefined) return [];
  if (region.kind === 'us_states') {
    const { outside, points } = region;
    const share = outside === 0 ? 'All' : `${count(points - outside)} of ${count(points)}`;
    return note(
      4,
      `${share} points are within the USA. To report points outside it, add to point: region: us_states`,
    );
  }
  const { kind: _, ...box } = region;
  const written = Object.entries(box).map(([key, value]) => `${key}: ${value}`);
  return note(
    4,
    `All points are within a box. To report points outside it, add to point: region: { ${written.join(', ')} }`,
  );
}

/** Areas of the USA that can follow from the point. */
function areaLines({ region, fields }: DraftDataset): readonly string[] {
  if (region?.kind !== 'us_states') return [];
  const lacks = (name: RegExp) => !fields.some((field) => name.test(field.name));
  const found = lines(
    lacks(/(^|_)(state|st|stname|statefp|usps)(_|$)/) &&
      '# state: { type: string, from: { area: us_states, value: name } }',
    lacks(/(^|_)(county|cnty|countyfp|fips)(_|$)/) &&
      '# county: { type: string, from: { area: us_counties, value: name } }',
  );
  if (found.length === 0) return [];
  return ['# These fields can be computed from the point:', ...found].map(
    (line) => `      ${line}`,
  );
}

/** Whether an address has a user, a password or a query. */
function hasSecret({ named }: InspectedFile): boolean {
  return isAddress(named) && shownAddress(named) !== named;
}

function keyDoubts(dataset: DraftDataset): readonly string[] {
  const { key, fields } = dataset;
  const types = key.fields.map(
    (name) => fields.find((field) => field.name === name)?.document.type,
  );
  return lines(
    types.includes('float') &&
      'No column can be the key, because a key cannot have floats: declare one as string, or choose another key.',
    totalDoubts(dataset, false),
    dataset.nameKey && nameKeyDoubt(dataset.nameKey),
    dataset.chance && chanceDoubt(dataset.chance, dataset.rowCount),
  );
}

/** The records that are totals: declared where one value stands for them. */
function totalLines(dataset: DraftDataset): readonly string[] {
  const declared = declaredTotals(dataset);
  const written = [...declared].map(([name, value]) => {
    const field = dataset.fields.find((one) => one.name === name);
    return `${flowText(name)}: ${field?.document.type === 'integer' ? value : flowText(value)}`;
  });
  return lines(
    totalDoubts(dataset, true).flatMap((text) => doubt(4, text)),
    written.length > 0 && `    totals: { ${written.join(', ')} }`,
  );
}

function totalDoubts(dataset: DraftDataset, isDeclared: boolean): readonly string[] {
  const declared = declaredTotals(dataset);
  return dataset.totals
    .filter(({ field, value }) => (declared.get(field) === value) === isDeclared)
    .map((total) => {
      const column = quoteIdentifier(columnOf(dataset.fields, total.field));
      return totalDoubt(total, { column, isDeclared });
    });
}

function columnOf(fields: DraftDataset['fields'], name: string): string {
  const { column = name } = fields.find((field) => field.name === name)?.document ?? {};
  return typeof column === 'number' ? `column ${column}` : String(column);
}

function readLines(
  { reading, doubts }: InspectedFile,
  nulls: readonly string[],
): readonly string[] {
  const keys: readonly (readonly [string, unknown])[] = [
    ['encoding', reading.encoding],
    [
      'delimiter',
      reading.isSpaced
        ? reading.spacesMin === undefined
          ? SPACES
          : WIDE_SPACES
        : reading.delimiter === undefined
          ? undefined
          : (WORDS[reading.delimiter] ?? reading.delimiter),
    ],
    ['quote', reading.quote === '"' ? undefined : reading.quote],
    ['escape', reading.escape],
    ['sheet', reading.sheetName === undefined ? reading.sheet : undefined],
    ['sheet_name', reading.sheetName],
    ['file_name', reading.fileName],
    ['member', reading.member],
    ['coordinates', reading.coordinates],
    ['header', reading.hasHeader ? undefined : false],
    ['skip_lines', reading.skipLines === 0 ? undefined : reading.skipLines],
    ['skip_below_header', reading.skipBelowHeader === 0 ? undefined : reading.skipBelowHeader],
    ['repeated_headers', reading.repeatedHeaders ? true : undefined],
    ['footer', reading.footer === 0 ? undefined : reading.footer],
    ['nulls', nulls.length === 0 ? undefined : nulls],
  ];
  const given = keys.filter(([, value]) => value !== undefined);
  if (given.length === 0) return [];
  return [
    '    read:',
    ...given.flatMap(([key, value]) =>
      lines(
        (doubts.get(key) ?? []).flatMap((text) => doubt(6, text)),
        key === 'nulls' && doubt(6, 'In all columns, these texts mean that a value is absent.'),
        `      ${key}: ${isNameColumn(value) ? `{ ${flowText(value.column)}: ${flowText(value.pattern)} }` : flowText(value)}`,
      ),
    ),
  ];
}

function isNameColumn(value: unknown): value is NameColumn {
  return typeof value === 'object' && value !== null && 'pattern' in value;
}

const WORDS: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe',
};

function rowsLines(dataset: DraftDataset): readonly string[] {
  const { blank, totalRows, unlisted, lacking, wide, unnest, combined, ownNulls, renamed } =
    dataset;
  const { joined, codeRows, midnights } = dataset;
  const fillDown = dataset.fillDown?.isStep === true ? dataset.fillDown : undefined;
  const steps = [
    blank,
    codeRows,
    fillDown,
    totalRows,
    unlisted,
    lacking,
    wide,
    unnest,
    ownNulls[0],
    midnights[0],
    joined,
  ];
  const hasSteps =
    steps.some((step) => step !== undefined) ||
    renamed.size > 0 ||
    dataset.daily?.choice === 'days';
  const hasRows = hasSteps || combined.duplicates !== undefined;
  return lines(
    hasRows && '    rows:',
    renamed.size > 0 && renameLines(renamed),
    joined && joinedLines(joined),
    midnights.length > 0 && midnightLines(midnights),
    ownNulls.length > 0 && ownNullLines(dataset),
    blank && [
      ...note(6, `Leaves out ${rows(blank.count)} without any value.`),
      `      - where: ${flowText(blank.condition)}`,
    ],
    codeRows && [
      ...doubt(6, `Leaves out ${rows(codeRows.count)}: ${codeRows.example}.`),
      `      - where: ${flowText(codeRows.condition)}`,
    ],
    fillDown && [
      ...doubt(
        6,
        `${rows(fillDown.count)} without a label ${fillDown.count === 1 ? 'gets' : 'get'} that of the row above, such as '${fillDown.example}'. If blanks are absent values, remove this step.`,
      ),
      `      - fill_down: ${flowText(fillDown.columns)}`,
    ],
    totalRows && [
      ...doubt(
        6,
        `Leaves out the row that is the sum of the others, because it is no record: ${totalRows.example}.`,
      ),
      `      - where: ${flowText(totalRows.condition)}`,
    ],
    unlisted && [
      ...note(6, `Leaves out ${rows(unlisted.count)} without such a list or map.`),
      `      - where: ${flowText(unlisted.condition)}`,
    ],
    unnest && unnestLines(unnest),
    lacking && [
      ...doubt(
        6,
        `Leaves out ${rows(lacking.count)} without a value for the key.${lacking.example === undefined ? '' : ` The first one begins with '${lacking.example}'.`}`,
      ),
      `      - where: ${flowText(lacking.condition)}`,
    ],
    wide && unpivotLines(wide),
    dailyLines(dataset, hasRows),
    repeatedRowLines(dataset, hasSteps),
  );
}

/** The steps that make one record of the hours of a day, or these as a comment. */
function dailyLines({ daily }: DraftDataset, hasRows: boolean): readonly string[] {
  if (daily === undefined) return [];
  const { choice, isDoubt, text, steps } = daily;
  const indent = hasRows ? 6 : 4;
  const written = isDoubt ? doubt(indent, text) : note(indent, text);
  const lines = steps.flatMap(dailyStepLines);
  if (choice === 'days') return [...written, ...lines.map((line) => `      ${line}`)];
  if (hasRows) return [...written, ...lines.map((line) => `      # ${line}`)];
  const rows = lines.length === 0 ? [] : ['    # rows:'];
  return [...written, ...rows, ...lines.map((line) => `    #   ${line}`)];
}

function dailyStepLines(step: DailyStep): readonly string[] {
  if ('sql' in step) return [`- sql: ${flowText(step.sql)}`];
  const arePlain = step.by.every(({ name, expression }) => expression === quoteIdentifier(name));
  const by = arePlain
    ? flowText(step.by.map(({ name }) => name))
    : `{ ${step.by.map(({ name, expression }) => `${flowText(name)}: ${flowText(expression)}`).join(', ')} }`;
  const values = step.values.map(({ name, function: read, column, format }) => {
    const written = format === undefined ? '' : `, format: ${flowText(format)}`;
    return `${flowText(name)}: { ${read}: ${flowText(column)}${written} }`;
  });
  const line = `- aggregate: { by: ${by}, values: { ${values.join(', ')} } }`;
  if (line.length + 8 <= LINE_CHARACTERS_MAX) return [line];
  return [
    '- aggregate:',
    `    by: ${by}`,
    '    values:',
    ...values.map((value) => `      ${value}`),
  ];
}

/** The columns of one that has several names and values. */
function joinedLines(joined: JoinedColumn): readonly string[] {
  return [
    ...note(6, `One column has the values of several: ${joined.names.join(', ')}.`),
    ...queryLines(joinedColumnQuery(joined)),
  ];
}

/** Names with the years, so that the next step finds them. */
function renameLines(renamed: DraftDataset['renamed']): readonly string[] {
  const names = [...renamed].map(
    ([column, name]) => `${quoteIdentifier(column)} AS ${quoteIdentifier(name)}`,
  );
  return [
    ...note(6, 'The names of both rows of the header.'),
    ...queryLines(`SELECT * RENAME (${names.join(', ')}) FROM rows`),
  ];
}

function queryLines(query: string): readonly string[] {
  const line = `      - sql: ${flowText(query)}`;
  return line.length <= LINE_CHARACTERS_MAX
    ? [line]
    : ['      - sql: >-', ...folded(query, 10, 10)];
}

/** Texts that are values of other columns cannot be `nulls`, which are for all columns. */
function midnightLines(midnights: DraftDataset['midnights']): readonly string[] {
  const found = midnights.map(({ column, example }) => `'${example}' in ${column}`);
  return [
    ...doubt(6, `Days between times are read as their midnight: ${found.join('; ')}.`),
    `      - sql: ${flowText(midnightStep(midnights))}`,
  ];
}

function ownNullLines({ ownNulls, files }: DraftDataset): readonly string[] {
  const areValues = files.some(({ format }) => FILE_FORMATS[format].reads.includes('nulls'));
  const found = ownNulls.map(
    ({ column, nulls }) => `${nulls.map((text) => `'${text}'`).join(', ')} in ${column}`,
  );
  const replaced = ownNulls.map(({ column, nulls }) => {
    const name = quoteIdentifier(column);
    return `CASE WHEN trim(${name}) NOT IN (${nulls.map(quoteLiteral).join(', ')}) THEN ${name} END AS ${name}`;
  });
  return [
    ...doubt(
      6,
      `Read as absent: ${found.join('; ')}.${areValues ? ' In other columns the same texts are values, so they are kept there.' : ''}`,
    ),
    `      - sql: ${flowText(`SELECT * REPLACE (${replaced.join(', ')}) FROM rows`)}`,
  ];
}

function unnestLines({ step }: DraftUnnest): readonly string[] {
  const { of, name, values, start, each } = step;
  const written = values.map((value) => `${flowText(value.name)}: ${flowText(value.column)}`);
  const parts = [
    `name: ${flowText(name)}`,
    `${of}: { ${written.join(', ')} }`,
    ...(start === undefined ? [] : [`start: ${flowText(start)}`]),
    ...(each === 'hour' ? ['each: hour'] : []),
  ];
  return [
    ...note(
      6,
      of === 'list' ? `One row for each number of the lists.` : 'One row for each key of the maps.',
    ),
    `      - unpivot: { ${parts.join(', ')} }`,
  ];
}

function unpivotLines({
  name,
  values,
  used,
  sums,
  kept,
  notes,
  doubts,
}: WideColumns): readonly string[] {
  const [only] = values;
  const written = values.map((value) => `${flowText(value.name)}: ${flowText(value.columns)}`);
  return lines(
    note(6, `One row for each ${name}, from ${used.length} columns.`),
    (notes ?? []).flatMap((text) => note(6, text)),
    (doubts ?? []).flatMap((text) => doubt(6, text)),
    sums.length > 0 && note(6, `Left out, because each row would repeat it: ${sums.join(', ')}.`),
    unpivotStep(name, written),
    kept && [...note(6, kept.note), `      - where: ${flowText(kept.condition)}`],
    values.length === 1 &&
      note(6, `- where: ${only?.name} IS NOT NULL   leaves out rows without a value`),
  );
}

function unpivotStep(name: string, values: readonly string[]): readonly string[] {
  const line = `      - unpivot: { name: ${flowText(name)}, values: { ${values.join(', ')} } }`;
  if (line.length <= LINE_CHARACTERS_MAX) return [line];
  return [
    '      - unpivot:',
    `          name: ${flowText(name)}`,
    '          values:',
    ...values.flatMap((value) => folded(value, 12)),
  ];
}

/** A list in several lines of at most 100 characters. */
function folded(text: string, indent: number, next = indent + 2): readonly string[] {
  const found: string[] = [];
  for (const part of text.split(/(?<=,) (?=\S)/)) {
    const last = found.at(-1);
    const joined = `${last} ${part}`;
    if (last === undefined) found.push(`${' '.repeat(indent)}${part}`);
    else if (joined.length > LINE_CHARACTERS_MAX) found.push(`${' '.repeat(next)}${part}`);
    else found[found.length - 1] = joined;
  }
  return found;
}

/** The step for repeated rows, or the choices as comments; without another step, `rows:` is a comment too. */
function repeatedRowLines(dataset: DraftDataset, hasSteps: boolean): readonly string[] {
  const repeated = repeatedLines(dataset);
  if (repeated === undefined) return [];
  const { isDoubt, text, steps, areChoices } = repeated;
  const indent = areChoices && !hasSteps ? 4 : 6;
  const written = isDoubt ? doubt(indent, text) : note(indent, text);
  if (!areChoices) return [...written, ...steps.map((step) => `      ${step}`)];
  if (hasSteps) return [...written, ...steps.map((step) => `      # ${step}`)];
  return [...written, '    # rows:', ...steps.map((step) => `    #   ${step}`)];
}

/** Many fields are grouped, so that a reader finds them. */
function groupedFields(dataset: DraftDataset): readonly string[] {
  const fields = namedColumns(dataset);
  if (fields.length < GROUPED_MIN) return fields.flatMap(fieldLines);
  const groups = Map.groupBy(fields, (field) => groupOf(field, dataset));
  return GROUPS.flatMap((group) => {
    const own = groups.get(group) ?? [];
    return own.length === 0 ? [] : [`      # ${group}`, ...own.flatMap(fieldLines)];
  });
}

const GROUPED_MIN = 15;

const GROUPS = ['Identity', 'Place', 'Period', 'Measures', 'Others'] as const;

function groupOf(field: DraftField, { key, period, point }: DraftDataset): (typeof GROUPS)[number] {
  const { name, document, part } = field;
  const isPeriod = name === period?.start || name === period?.end;
  if (isPeriod) return 'Period';
  if (key.fields.includes(name)) return 'Identity';
  if (part !== undefined || name === point?.latitude || name === point?.longitude) return 'Place';
  if (isMeasure(field, key)) return 'Measures';
  return document.type === 'string' && isPlaceName(name) ? 'Place' : 'Others';
}

function fieldLines({ name, document, doubts, notes }: DraftField): readonly string[] {
  const parts = Object.entries(document).map(([key, value]) => `${key}: ${flowText(value)}`);
  const line = `      ${flowText(name)}: { ${parts.join(', ')} }`;
  const folded = [`      ${flowText(name)}:`, ...parts.map((part) => `        ${part}`)];
  return [
    ...notes.flatMap((text) => note(6, text)),
    ...doubts.flatMap((text) => doubt(6, text)),
    ...(line.length > LINE_CHARACTERS_MAX ? folded : [line]),
  ];
}

/** Which marks are worth their cost depends on what callers ask. */
function marksNote({ fields, key, point }: DraftDataset, layer: DraftLayer | undefined): string {
  const text = layer?.name;
  const number = fields.find(
    ({ name, document, part, isCode }) =>
      (document.type === 'integer' || document.type === 'float') &&
      part === undefined &&
      !isCode &&
      !key.fields.includes(name),
  );
  const parts = lines(
    'Describe each field, with its unit, in its description.',
    text !== undefined &&
      `If callers search as they type, add searchable: true, for example to ${text}.`,
    number && `If callers sort by a field, add sorted: true, for example to ${number.name}.`,
    fields.some(({ document }) => document.additive !== undefined) &&
      'additive: whether callers may add up values over periods and places (all), over one of them, or over neither (none).',
  );
  return point === undefined && number === undefined ? (parts[0] ?? '') : parts.join(' ');
}

function layerLines({ id, dataset, featureId, name, components }: DraftLayer): readonly string[] {
  return lines(
    `  ${id}:`,
    note(4, 'Add feature_display_name, the name for one feature, such as National park.'),
    `    dataset: ${dataset}`,
    `    feature_id: ${flowText(featureId)}`,
    name === featureId && name !== 'name' && note(4, 'No column seems to be a name.'),
    `    name: ${flowText(name)}`,
    components.length > 0 && [
      ...note(4, 'Callers can filter by these.'),
      '    address_components:',
      ...components.map(
        (field) => `      ${flowText(field)}: { value: ${flowText(field)}, kind: taxonomy }`,
      ),
    ],
  );
}

function metricLines(metric: DraftMetric): readonly string[] {
  const { name, dataset, layer, featureId, cadence, measures, dimensions, matched, ids, totals } =
    metric;
  const { unmatched, related } = metric;
  const [measure, ...others] = measures;
  const measureText = ({ field, kind, unit }: DraftMetric['measures'][number]) =>
    `{ name: ${flowText(field)}, field: ${flowText(field)}, kind: ${kind}${unit === undefined ? '' : `, unit: ${flowText(unit)}`} }`;
  const share = ids === 0 ? 0 : (100 * matched) / ids;
  const found = `${count(matched)} of ${count(ids)} different ids (${share.toFixed(share === 100 ? 0 : 1)}%) are features of the layer`;
  return lines(
    `  ${name}:`,
    `    dataset: ${dataset}`,
    unmatched === undefined
      ? note(4, `${found}.`)
      : doubt(4, `${found}, so the metric has no values of the others, such as '${unmatched}'.`),
    `    layer: ${layer}`,
    `    feature_id: ${flowText(featureId)}`,
    related &&
      `    related: { layer: ${related.layer}, feature_id: ${flowText(related.featureId)} }`,
    cadence === 'unspecified' && doubt(4, 'The lengths of the periods differ.'),
    `    cadence: ${cadence}`,
    measure?.unit === undefined && note(4, 'Add the unit, such as unit: People.'),
    `    measure: ${measure === undefined ? '{}' : measureText(measure)}`,
    others.length > 0 && [
      '    supporting_values:',
      ...others.map((one) => `      - ${measureText(one)}`),
    ],
    dimensions.length > 0 && [
      ...note(
        4,
        'These are part of the key. relaxed: a place and period may lack some of their values.',
      ),
      '    dimensions:',
      ...dimensions.map((field) => {
        const total = totals.get(field);
        const written = total === undefined ? '' : `, default: ${flowText(total)}`;
        return `      ${flowText(field)}: { value: ${flowText(field)}, completeness: relaxed${written} }`;
      }),
    ],
  );
}

/** The lines of all parts; a part that does not apply is `false` or undefined. */
function lines(
  ...parts: readonly (string | readonly string[] | false | undefined)[]
): readonly string[] {
  return parts.flatMap((part) => (part === false || part === undefined ? [] : part));
}

function doubt(indent: number, text: string): readonly string[] {
  return comment(indent, `CHECK: ${text}`);
}

function note(indent: number, text: string): readonly string[] {
  return comment(indent, text);
}

const LINE_CHARACTERS_MAX = 100;

/** A comment in lines of at most 100 characters. Line breaks in values must not end it. */
function comment(indent: number, text: string): readonly string[] {
  const words = text.replaceAll(/\p{Cc}+/gu, ' ').split(' ');
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(word);
    else if (last.length + word.length + indent > 96) lines.push(`  ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line) => `${' '.repeat(indent)}# ${line}`);
}

function rows(number: number): string {
  return number === 1 ? '1 row' : `${count(number)} rows`;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
