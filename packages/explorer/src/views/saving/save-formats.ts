import type { StreamFormat } from '@locmetrics/client';
import { type CsvValue, csvLine } from '@locmetrics/contract/csv';
import type { Choice } from '../../ui/select.tsx';
import { countCsvRows, countLines, type RowCounter } from './row-counter.ts';

/** A row by the names of its columns. */
export type Row = Readonly<Record<string, CsvValue>>;

export type ValueFormat = StreamFormat<'streamMetricValues'>;

type SaveFormat = {
  readonly title: string;
  readonly meaning: string;
  readonly mediaType: string;
  /** Whether it needs records with points. */
  readonly needsPoints: boolean;
  /** About the text of a row. Absent: the size is not known before. */
  readonly writeRow?: (row: Row) => string;
  /** The text above the rows, if it has any that counts. */
  readonly writeHead?: (row: Row) => string;
  /** Counts the rows as they arrive. Absent: they cannot be told apart. */
  readonly countRows?: () => RowCounter;
};

/** The formats of whole results, in the order in which they are offered; and whether metric values have them. */
export const SAVE_FORMATS: {
  readonly [Format in StreamFormat]: SaveFormat & {
    readonly isOfValues: Format extends ValueFormat ? true : false;
  };
} = {
  csv: {
    title: 'CSV',
    meaning: 'for spreadsheets',
    mediaType: 'text/csv',
    isOfValues: true,
    needsPoints: false,
    writeRow: (row) => csvLine(Object.values(row)),
    writeHead: (row) => csvLine(Object.keys(row)),
    countRows: countCsvRows,
  },
  ndjson: {
    title: 'NDJSON',
    meaning: 'JSON, line by line',
    mediaType: 'application/x-ndjson',
    isOfValues: true,
    needsPoints: false,
    writeRow: (row) => `${JSON.stringify(row)}\n`,
    countRows: () => countLines({ above: 0 }),
  },
  geojson: {
    title: 'GeoJSON',
    meaning: 'for maps',
    mediaType: 'application/geo+json',
    isOfValues: false,
    needsPoints: true,
    writeRow: (row) =>
      `{"type":"Feature","properties":${JSON.stringify(row)},"geometry":{"type":"Point","coordinates":[-68.2042,44.3101]}},\n`,
    // The line of the first feature ends with the next one.
    countRows: () => countLines({ above: 1, isExact: false }),
  },
  parquet: {
    title: 'Parquet',
    meaning: 'for DuckDB and pandas',
    mediaType: 'application/vnd.apache.parquet',
    isOfValues: true,
    needsPoints: false,
  },
  arrow: {
    title: 'Arrow',
    meaning: 'for polars and R',
    mediaType: 'application/vnd.apache.arrow.stream',
    isOfValues: true,
    needsPoints: false,
  },
};

// Object.keys of a closed record are its keys.
const NAMES = Object.keys(SAVE_FORMATS) as readonly StreamFormat[];

/** The formats that records have. */
export function recordFormats({ hasPoints }: { readonly hasPoints: boolean }) {
  return NAMES.filter((name) => hasPoints || !SAVE_FORMATS[name].needsPoints);
}

/** The formats that metric values have. */
export const VALUE_FORMATS: readonly ValueFormat[] = NAMES.filter(isValueFormat);

function isValueFormat(name: StreamFormat): name is ValueFormat {
  return SAVE_FORMATS[name].isOfValues;
}

export function formatChoices<Name extends StreamFormat>(
  names: readonly Name[],
): readonly Choice<Name>[] {
  return names.map((value) => {
    const { title, meaning } = SAVE_FORMATS[value];
    return { value, label: `${title}: ${meaning}` };
  });
}

/** About how many bytes so many rows have, if all of them are like the rows of a sample. */
export function estimateBytes(
  format: StreamFormat,
  { rows, sample }: { readonly rows: number; readonly sample: readonly Row[] },
): number | undefined {
  const { writeRow, writeHead } = SAVE_FORMATS[format];
  const [first] = sample;
  if (writeRow === undefined || first === undefined) return undefined;
  const head = byteLength(writeHead?.(first) ?? '');
  return head + (byteLength(sample.map(writeRow).join('')) / sample.length) * rows;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
