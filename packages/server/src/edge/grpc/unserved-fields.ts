/** The fields of unacatlib 0.0.101 that the messages of the contract do not have, by message and number. */
export const UNSERVED_FIELDS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  'unacast.catalog.v3.ListRecordsRequest': { 5: 'group_by', 16: 'filter_logic' },
  'unacast.catalog.v3.SearchFieldValuesRequest': { 16: 'filter_logic' },
  'unacast.catalog.v3.Field': { 3: 'aggregation' },
  'unacast.catalog.v3.Options': { 4: 'polygon' },
  'unacast.unatype.Date': { 4: 'hour', 5: 'minute', 6: 'second' },
};
