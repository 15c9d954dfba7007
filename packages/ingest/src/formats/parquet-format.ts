import {
  EngineError,
  engineReason,
  shortageOf,
} from '@locmetrics/column-store/publish/engine-error';
import type { Field } from '@locmetrics/core/domain/field';
import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { type FoundProblems, fileProblem } from '../problems/found-problems.ts';
import { columnIndexes } from './csv-header.ts';
import {
  type FieldReading,
  finiteFloat,
  INTEGER_RANGE_REASON,
  knownDate,
  matches,
  NO_SUCH_DATE_REASON,
  NOT_FINITE_REASON,
  NOT_INTEGER_REASON,
} from './field-reading.ts';
import type { FieldColumn, OpenedRows, RowFormat } from './row-format.ts';
import { type ScanLimits, scanSourceFile } from './scan-source-file.ts';
import type { SourceFile } from './source-file.ts';
import { isConverted, readValue, withDayBefore, withSpan } from './value-reading.ts';

/** Apache Parquet. Its columns have types, so each is read by its type. */
export const parquetFormat: RowFormat = {
  columnsVary: false,
  open: async ({ connection, source, file, limits }) => {
    try {
      const described = await connection.list(`DESCRIBE SELECT * FROM ${READ_PARQUET}`, {
        path: file.path,
      });
      const types = described.map((row) => String(row['column_type']));
      const columns = described.map((row) => String(row['column_name']));
      const { nulls } = source.reading;
      return { rows: openedRows({ file, columns, types, nulls }, limits) };
    } catch (error) {
      if (!(error instanceof EngineError) || shortageOf(error) !== undefined) throw error;
      return { found: unreadable(file, error) };
    }
  },
};

// A folder such as `year=2023` adds no column.
const READ_PARQUET = 'read_parquet($path, hive_partitioning = false)';

type Table = {
  readonly file: SourceFile;
  readonly columns: readonly string[];
  /** Those of the columns. */
  readonly types: readonly string[];
  /** Texts that mean that a value is absent. */
  readonly nulls: readonly string[];
};

function openedRows(table: Table, limits: ScanLimits): OpenedRows {
  const { file, columns, types } = table;
  return {
    file,
    columns,
    specialColumns: [],
    scan: () => scanSourceFile(file, 'binary', limits),
    select: (fields) => select(table, fields),
    selectTexts: (indexes) => {
      const values = indexes.map((index) => `${valueSql(table, index)} AS value_${index}`);
      return {
        query: `SELECT ${values.length === 0 ? '1' : values.join(', ')} FROM ${numberedColumns(columns)}`,
        parameters: { path: file.path },
        texts: indexes.map((index) => textOfType(`value_${index}`, types[index] ?? '')),
      };
    },
    findRejects: async () => ({ examples: [], counts: [] }),
    explainFailure: async (error) => unreadable(file, error),
    locate: async (rows) => new Map(rows.map((row) => [row, { row: row + 1 }])),
  };
}

function unreadable(file: SourceFile, error: Error): FoundProblems {
  return fileProblem(file, {
    reason: `cannot be read as Parquet (${engineReason(error)})`,
    hint: 'It may be cut short or damaged, or have another format: write it again.',
  });
}

function select(table: Table, fields: readonly FieldColumn[]): ReturnType<OpenedRows['select']> {
  const { file, columns, types } = table;
  const problems: FoundProblems[] = [];
  const readings: FieldReading[] = [];
  const indexes = fields.map(({ source }) => {
    const [column = ''] = source.columns;
    return columnIndexes(columns, column)[0] ?? -1;
  });
  for (const [index, fieldColumn] of fields.entries()) {
    const { field } = fieldColumn;
    const columnIndex = indexes[index] ?? -1;
    const type = types[columnIndex] ?? '';
    const reading = readColumn(fieldColumn, type, `raw_${index}`, String(index));
    if (reading === undefined) {
      problems.push(
        fileProblem(file, {
          field: field.name,
          reason: `the column '${columns[columnIndex]}' has the type ${type}, which cannot be read ${isConverted(fieldColumn.source) ? 'by a format' : `as ${field.type}`}`,
          hint: isConverted(fieldColumn.source)
            ? 'Only text has a format: leave out format and pad.'
            : typeHint(field, type),
        }),
      );
    } else {
      readings.push(reading);
    }
  }
  if (problems.length > 0) {
    return {
      found: {
        examples: problems.flatMap((problem) => problem.examples),
        counts: problems.flatMap((problem) => problem.counts),
      },
    };
  }
  const raw = indexes.map((column, index) => `${valueSql(table, column)} AS raw_${index}`);
  return {
    selection: {
      query: `SELECT ${raw.join(', ')} FROM ${numberedColumns(columns)}`,
      parameters: { path: file.path },
      readings,
    },
  };
}

/** A value, which is absent if its text is one of those that mean it. */
function valueSql({ types, nulls }: Table, index: number): string {
  const column = `column_${index}`;
  if (nulls.length === 0) return column;
  const texts = nulls.map((text) => quoteLiteral(text.trim())).join(', ');
  const isNull = `trim(${textOfType(column, types[index] ?? '')}) IN (${texts})`;
  return `CASE WHEN coalesce(${isNull}, false) THEN NULL ELSE ${column} END`;
}

/** Columns are identified by their position, because DuckDB treats names that differ only in case as equal. */
function numberedColumns(columns: readonly string[]): string {
  return `${READ_PARQUET} AS file(${columns.map((_, index) => `column_${index}`).join(', ')})`;
}

/** A value as a text: numbers in the shortest form that is exact, nested values as JSON. */
function textOfType(raw: string, type: string): string {
  const text = `CAST(${raw} AS VARCHAR)`;
  if (type === 'VARCHAR' || type.startsWith('ENUM(')) return `nullif(${text}, '')`;
  if (type.startsWith('DECIMAL(') && !type.endsWith(',0)')) {
    return `regexp_replace(${text}, '[.]?0+$', '')`;
  }
  if (type === 'DOUBLE' || type === 'FLOAT') return `regexp_replace(${text}, '[.]0$', '')`;
  if (type === 'BLOB' || type === 'GEOMETRY')
    return `CASE WHEN ${raw} IS NOT NULL THEN '(bytes)' END`;
  // Without the time zones of an extension, the engine cannot write a moment; UTC needs none.
  if (type === 'TIMESTAMP WITH TIME ZONE') {
    return `CAST(make_timestamp(epoch_us(${raw})) AS VARCHAR) || 'Z'`;
  }
  return /[[(]/.test(type) && !type.startsWith('DECIMAL(')
    ? `CAST(to_json(${raw}) AS VARCHAR)`
    : text;
}

function typeHint(field: Field, type: string): string {
  if (type === 'BLOB') return 'Write the column as a string (UTF8).';
  if (field.type === 'date') return 'Write the column as a date, or as text YYYY-MM-DD.';
  return `Write the column as ${field.type} or as text.`;
}

/** Such as INTEGER and UBIGINT. */
const WHOLE_TYPE = /^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/;

/** The reading of a column by its type in the file. Undefined if there is none. */
function readColumn(
  { field, source }: FieldColumn,
  type: string,
  raw: string,
  name: string,
): FieldReading | undefined {
  if (type === 'VARCHAR' || type.startsWith('ENUM(')) {
    const text = type === 'VARCHAR' ? raw : `CAST(${raw} AS VARCHAR)`;
    return readValue({ field, source }, [text], name);
  }
  if (isConverted(source)) return undefined;
  const reading = readTyped(field, type, raw);
  if (reading === undefined) return undefined;
  if (source.isExclusiveEnd === true) return withDayBefore(reading);
  return source.span === undefined ? reading : withSpan(reading, source.span);
}

function readTyped(field: Field, type: string, raw: string): FieldReading | undefined {
  const text = `CAST(${raw} AS VARCHAR)`;
  const common = { isAbsent: `(${raw} IS NULL)`, shown: text };
  const isWhole = WHOLE_TYPE.test(type);
  const isDecimal = type.startsWith('DECIMAL(');
  const isBinaryFloat = type === 'DOUBLE' || type === 'FLOAT';
  switch (field.type) {
    case 'string':
      return isWhole || type === 'UUID' ? { ...common, value: text, reason: `''` } : undefined;
    case 'integer':
      if (isWhole) {
        return {
          ...common,
          value: `TRY_CAST(${raw} AS BIGINT)`,
          reason: `'${INTEGER_RANGE_REASON}'`,
        };
      }
      if (isDecimal || isBinaryFloat) {
        // Some writers store whole numbers with absent values as floats. NaN and infinity are not whole,
        // although trunc() does not change them; the cast refuses them.
        return {
          ...common,
          value: `CASE WHEN ${raw} = trunc(${raw}) THEN TRY_CAST(${raw} AS BIGINT) END`,
          reason: `CASE WHEN ${raw} = trunc(${raw}) AND NOT ${matches(text, '.*[a-z]{3}')}
            THEN '${INTEGER_RANGE_REASON}' ELSE '${NOT_INTEGER_REASON}' END`,
        };
      }
      return undefined;
    case 'float':
      if (!isWhole && !isDecimal && !isBinaryFloat) return undefined;
      return {
        ...common,
        // The nearest double of a 32-bit 0.1 is 0.10000000149…; its shortest decimal is 0.1.
        value: finiteFloat(type === 'FLOAT' ? `CAST(${text} AS DOUBLE)` : `CAST(${raw} AS DOUBLE)`),
        reason: `'${NOT_FINITE_REASON}'`,
      };
    case 'boolean':
      return type === 'BOOLEAN' ? { ...common, value: raw, reason: `''` } : undefined;
    case 'date':
      if (type === 'DATE') {
        return { ...common, value: knownDate(raw), reason: `'${NO_SUCH_DATE_REASON}'` };
      }
      if (/^TIMESTAMP(_S|_MS|_NS)?$/.test(type)) {
        const date = `TRY_CAST(${raw} AS DATE)`;
        return {
          ...common,
          value: `CASE WHEN CAST(${date} AS TIMESTAMP) = ${raw} THEN ${knownDate(date)} END`,
          reason: `CASE WHEN CAST(${date} AS TIMESTAMP) = ${raw} THEN '${NO_SUCH_DATE_REASON}'
            ELSE 'has a time of day, so it is not a date' END`,
        };
      }
      return undefined;
  }
}
