/** Formats with a line of text for each record, by the ends of addresses and names of files. */
export type LineFormat = 'csv' | 'ndjson';
