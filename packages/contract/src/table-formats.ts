type TableFormatDefinition = {
  /** Its name in texts. */
  readonly title: string;
  /** In `Accept`. */
  readonly mediaType: string;
  /** The parameters of `Content-Type`, after the media type. */
  readonly parameters: string;
};

const FORMATS = {
  csv: { title: 'CSV', mediaType: 'text/csv', parameters: '; charset=utf-8; header=present' },
} as const satisfies Readonly<Record<string, TableFormatDefinition>>;

/** Its name in requests, flags and names of files. */
export type TableFormat = keyof typeof FORMATS;

/**
 * The formats, besides JSON, of an answer that is a table, with a header and without pages: the only list of them. Requests, negotiation,
 * flags and texts are made from it.
 */
export const TABLE_FORMATS: Readonly<Record<TableFormat, TableFormatDefinition>> = FORMATS;

// Object.keys of a closed record are its keys.
export const TABLE_FORMAT_NAMES = Object.keys(FORMATS) as readonly TableFormat[];

/** Their titles: CSV, TSV or PSV. `Intl.ListFormat` would take 10 ms of each start of the command line. */
export const TABLE_FORMAT_TITLES = TABLE_FORMAT_NAMES.map((name) => TABLE_FORMATS[name].title)
  .join(', ')
  .replace(/, ([^,]*)$/, ' or $1');

export const TABLE_MEDIA_TYPES: readonly string[] = TABLE_FORMAT_NAMES.map(
  (name) => TABLE_FORMATS[name].mediaType,
);
