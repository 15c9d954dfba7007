import { hasToken, LOCAL_ZONE, parseDateFormat } from './date-format.ts';
import type { FieldSource, ValueFormat } from './field-source.ts';
import { type FileFormat, isTable } from './file-formats.ts';
import type { ReadContext, Report } from './manifest-report.ts';
import type { DatasetDocument } from './manifest-schema.ts';
import { parseNumberFormat } from './number-format.ts';
import { parseDegreesFormat, parsePointFormat } from './point-format.ts';
import { readPointSource } from './read-point-source.ts';

type FieldDocument = DatasetDocument['fields'][string];

/** The columns of a field, and how its values are written in them. */
export function readFieldSource({
  name,
  declared,
  areas,
  format,
  report,
}: ReadContext & {
  readonly name: string;
  readonly declared: DatasetDocument;
  readonly format: FileFormat | undefined;
}): FieldSource {
  const field = declared.fields[name];
  if (field === undefined) throw new Error(`There is no field ${name}.`);
  const from = readPointSource(name, { declared, areas, report });
  if (field.from !== undefined) return { columns: [], from };
  const { column = name, expression } = field;
  const columns = expression !== undefined ? [] : typeof column === 'object' ? column : [column];
  if (expression !== undefined && field.column !== undefined) {
    report.at('column')('The field has a column and an expression.', 'Leave one of them out.');
  }
  const isTabular = isTable(format);
  const kind = format ?? 'of an unknown format';
  for (const one of columns) {
    if (typeof one === 'number' && !isTabular) {
      report.at('column')(
        `The files are ${kind}, so a column has no position.`,
        'Write the name of the column.',
      );
    }
    const isNamed = declared.read?.header !== false || declared.rows !== undefined;
    if (typeof one === 'string' && !isNamed && isTabular) {
      report.at('column')(
        `The files have no header, so there is no column '${one}'.`,
        'Write the position of the column, from 1: column: 1.',
      );
    }
  }
  if (columns.length > 1 && field.type !== 'string' && field.type !== 'date') {
    report.at('column')(
      `Only a string or date field can join columns, but the field has the type ${field.type}.`,
      'Name one column.',
    );
  }
  return {
    columns,
    expression,
    pad: readPad(field, Math.max(1, columns.length), report),
    format: readFormat(name, declared, report),
    span: readSpan(name, declared, report),
    ...(isExclusiveEnd(name, declared, report) ? { isExclusiveEnd: true } : {}),
  };
}

function readPad(
  { type, pad }: FieldDocument,
  columnCount: number,
  report: Report,
): readonly number[] | undefined {
  if (pad === undefined) return undefined;
  if (type !== 'string') {
    report.at('pad')(`A field of type ${type} has no leading zeros.`, 'Declare it as string.');
  }
  const digits = typeof pad === 'number' ? [pad] : pad;
  if (digits.length !== columnCount) {
    report.at('pad')(
      columnCount === 1
        ? `The field has one column, but ${digits.length} numbers of digits.`
        : `The field has ${columnCount} columns.`,
      columnCount === 1 ? 'Write one number.' : 'Write a number of digits for each: pad: [2, 3].',
    );
  }
  return digits;
}

function readFormat(
  name: string,
  { fields, point }: DatasetDocument,
  report: Report,
): ValueFormat | undefined {
  const field = fields[name];
  if (field?.zone !== undefined && (field.format === undefined || field.type !== 'date')) {
    report.at('zone')('Only a date with a format has a zone.', 'Leave this out.');
  }
  if (field?.format === undefined) {
    if (field?.type === 'date' && typeof field.column === 'object') {
      report.at('column')(
        'The columns of a date need a format.',
        'Write one for their values with a space between them, such as format: YYYY M.',
      );
    }
    return undefined;
  }
  const { type, format: written } = field;
  const reportFormat = report.at('format');
  switch (type) {
    case 'string':
      reportFormat('A string is kept as it is written.', 'Leave the format out.');
      return undefined;
    case 'boolean':
      return readBooleanFormat(written, reportFormat);
    case 'date':
      return readDateFormat(written, field.zone, report);
    case 'integer':
    case 'float': {
      const degreesFormat = parseDegreesFormat(written);
      const pointFormat = written.includes('DMS') ? undefined : parsePointFormat(written);
      if (pointFormat !== undefined || degreesFormat !== undefined) {
        const isLatitude = point?.latitude === name;
        if (isLatitude || point?.longitude === name) {
          const part = isLatitude ? 'lat' : 'lng';
          if (pointFormat !== undefined) return { kind: 'point', part, ...pointFormat };
          if (degreesFormat !== undefined) return { kind: 'degrees', part, ...degreesFormat };
        }
        reportFormat('Only the fields of point can have this format.', 'Declare the point.');
        return undefined;
      }
      const number = parseNumberFormat(written);
      if (number !== undefined) return { kind: 'number', ...number };
      reportFormat(
        `'${written}' is not a number format.`,
        written.includes('DM')
          ? 'For degrees, minutes and seconds write DMS, -DMS if a coordinate without a sign is north or east, or for both in one text DMS lat, lng.'
          : 'Write how the files write 1234 or 1234.5, such as 1,234.5 or 1.234,5 or $1,234 or 1234.5%.',
      );
    }
  }
  return undefined;
}

function readBooleanFormat(written: string, report: Report): ValueFormat | undefined {
  const [yes = '', no = '', ...more] = written.split('/').map((word) => word.trim());
  if (yes !== '' && no !== '' && yes.toLowerCase() !== no.toLowerCase() && more.length === 0) {
    return { kind: 'boolean', written, yes, no };
  }
  report(
    `'${written}' is not a boolean format.`,
    'Write the words for true and false, such as 1/0 or yes/no.',
  );
  return undefined;
}

function readDateFormat(
  written: string,
  zone: string | undefined,
  report: Report,
): ValueFormat | undefined {
  const parsed = parseDateFormat(written);
  if ('problem' in parsed) {
    report.at('format')(
      `'${written}' is not a date format: ${parsed.problem}.`,
      'Write one such as MM/DD/YYYY, DD.MM.YYYY, D-MMM-YYYY, YYYYMM or YYYY-[Q]Q; letters that stand for themselves are in brackets.',
    );
    return undefined;
  }
  const hasOffset = hasToken(parsed, 'Z');
  if (hasOffset && zone === undefined) {
    report.at('format')(
      'The format has an offset (Z), so the day depends on the time zone.',
      'Declare the time zone, such as zone: America/Los_Angeles, or zone: local for the day as it is written.',
    );
  }
  if (zone !== undefined && !hasOffset) {
    report.at('zone')(
      'The format has no offset (Z), so a zone would change nothing.',
      'Leave the zone out.',
    );
  }
  if (zone !== undefined && zone !== LOCAL_ZONE && !isZone(zone)) {
    report.at('zone')(
      `'${zone}' is not a time zone.`,
      'Write one of the IANA database, such as Europe/Zurich or UTC, or local for the day as it is written.',
    );
  }
  return { kind: 'date', written, parts: parsed.parts, zone };
}

function isZone(zone: string): boolean {
  try {
    return /^[A-Z]/.test(zone) && new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

/** A field that ends a period or an existence becomes the last day, every other one the first. */
function readSpan(
  name: string,
  { fields, period, existence }: DatasetDocument,
  report: Report,
): FieldSource['span'] {
  const field = fields[name];
  if (field?.as === undefined) return undefined;
  const unit = field.as;
  if (field.type !== 'date') {
    report.at('as')(`A field of type ${field.type} is not a ${unit}.`, 'Declare it as date.');
  }
  const isEnd = period?.end === name || existence?.end === name;
  if (isEnd && (period?.start === name || existence?.start === name)) {
    report.at('as')(
      `The field is both the start and the end, but a ${unit} has two days.`,
      'Declare a second field with the same column for the end.',
    );
  }
  return { unit, day: isEnd ? 'last' : 'first' };
}

function isExclusiveEnd(
  name: string,
  { fields, period, existence }: DatasetDocument,
  report: Report,
): boolean {
  const field = fields[name];
  if (field?.end === undefined) return false;
  if (field.type !== 'date') {
    report.at('end')(`A field of type ${field.type} ends no period.`, 'Declare it as date.');
  }
  if (field.as !== undefined) {
    report.at('end')(
      `The field is the last day of a ${field.as} (as: ${field.as}), which belongs to the period.`,
      'Leave one of them out.',
    );
  }
  if (period?.start === name || existence?.start === name) {
    report.at('end')('The field is a start.', 'Declare a second field with the column of the end.');
  }
  return true;
}
