/**
 * Examples of what commands print, for the reference: a command line after `locmetrics`, and its standard output. A test runs
 * these lines and compares all but ids, times and sizes.
 */
export const COMMAND_TEXT = {
  inspect: {
    line: 'inspect visits.csv',
    prints: `visits.csv: csv, utf-8
  904 rows; key cafe, month_start
  column  field        type     written                    to check
  cafe    cafe         string
  month   month_start  date     format YYYY-MM, as month
  month   month_end    date     format YYYY-MM, as month
  visits  visits       integer  additive all`,
  },
  check: {
    line: 'check',
    prints: `Would publish cafes.places: 40 records in 0.5 s
  rows      40 read, 40 kept, 105 a second
  features  40 (id)
  fields    name  absent  least       greatest
            lat   -       45.46185    45.6329
            lng   -       -122.80852  -122.42
            … and 4 more with --json
Would publish cafes.visits: 904 records in 0.2 s
  rows      904 read, 904 kept, 1,971 a second
  periods   23 (month_start)
  features  40 (cafe)
  fields    name         absent  least       greatest
            month_start  -       2024-01-01  2025-11-01
            month_end    -       2024-01-31  2025-11-30
            visits       1       437         7011
            … and 1 more with --json
Would serve metric cafes/visits (layer places)`,
  },
  publish: {
    line: 'publish locmetrics.yaml',
    prints: `Published cafes.places: 40 records in 0.5 s, version 20260102T030405678Z-0123456789ab
  rows      40 read, 40 kept, 105 a second
  features  40 (id)
  fields    name  absent  least       greatest
            lat   -       45.46185    45.6329
            lng   -       -122.80852  -122.42
            … and 4 more in report.json
Published cafes.visits: 904 records in 0.2 s, version 20260102T030405912Z-3af246f46697
  rows      904 read, 904 kept, 1,971 a second
  periods   23 (month_start)
  features  40 (cafe)
  fields    name         absent  least       greatest
            month_start  -       2024-01-01  2025-11-01
            month_end    -       2024-01-31  2025-11-30
            visits       1       437         7011
            … and 1 more in report.json
Serving metric cafes/visits (layer places)`,
  },
  versions: {
    line: 'versions cafes.places',
    prints: `DATASET       VERSION                           STATE    PUBLISHED                 ROWS  SIZE
cafes.places  20260202T030405678Z-48c0870c64b3  current  2026-02-02T03:04:05.678Z  40    574 KiB
cafes.places  20260102T030405678Z-0123456789ab  kept     2026-01-02T03:04:05.678Z  40    573 KiB

METRIC VERSION                    STATE    MADE OF                                                                                              METRICS
20260202T030405678Z-9dfe785bfc81  current  20260102T030405912Z-3af246f46697 of cafes.visits + 20260202T030405678Z-48c0870c64b3 of cafes.places  cafes/visits
20260102T030405912Z-e46c83a5be58  kept     20260102T030405912Z-3af246f46697 of cafes.visits + 20260102T030405678Z-0123456789ab of cafes.places  cafes/visits

CURRENT SINCE             UNTIL                     DATASET       VERSION                           BY
2026-02-02T03:04:05.912Z  now                       cafes.places  20260202T030405678Z-48c0870c64b3  publish
2026-01-02T03:04:06.123Z  2026-02-02T03:04:05.912Z  cafes.places  20260102T030405678Z-0123456789ab  publish`,
  },
  diff: {
    line: 'diff cafes.places',
    prints: `cafes.places 20260102T030405678Z-0123456789ab → 20260202T030405678Z-48c0870c64b3

Schema: the same.

Records: 0 added, 0 removed, 1 changed, 39 the same.
  name changed in 1

Examples:
  changed  id 'NOB1': name 'The Slow Kettle' → 'The Slower Kettle'`,
  },
  rollback: {
    line: 'rollback cafes.places',
    prints:
      'cafes.places is now 20260102T030405678Z-0123456789ab. Before: 20260202T030405678Z-48c0870c64b3.',
  },
  verify: {
    line: 'verify cafes.places',
    prints: `DATASET       VERSION                           SIZE     FOUND
cafes.places  20260202T030405678Z-48c0870c64b3  574 KiB  intact
cafes.places  20260102T030405678Z-0123456789ab  573 KiB  intact`,
  },
  gc: { line: 'gc', prints: 'Nothing to remove.' },
  'versions withdraw': {
    line: 'versions withdraw 20260202T030405678Z-48c0870c64b3',
    prints: 'The version 20260202T030405678Z-48c0870c64b3 of cafes.places is withdrawn.',
  },
  'dataset remove': {
    line: 'dataset remove cafes.places --dry-run',
    prints: `cafes.places would be removed, with its version.
Removed layers: places
Removed metrics of other datasets: cafes/visits
Grants that then match nothing: th129oa3vck5 (portland: cafes/visits)
To also remove the metrics of other datasets, give --with-metrics.`,
  },
  'org create': {
    line: 'org create "City of Portland" --id portland',
    prints: 'Created the organisation portland.',
  },
  'org list': {
    line: 'org list',
    prints: `ID        NAME              CREATED                   SUSPENDED
portland  City of Portland  2026-01-02T03:04:05.678Z  no`,
  },
  'org suspend': {
    line: 'org suspend portland',
    prints:
      'Suspended the organisation portland. All its tokens are refused from the next request on.',
  },
  'org resume': {
    line: 'org resume portland',
    prints: 'Resumed the organisation portland. Its tokens are accepted from the next request on.',
  },
  'grant add': {
    line: 'grant add portland cafes/visits --component city:Portland --period 2024-01-01/2024-12-31',
    prints: `Granted portland 'cafes/visits' (city:Portland; 2024-01-01/2024-12-31): the grant th129oa3vck5.
  component city
    Portland  31 records`,
  },
  'grant list': {
    line: 'grant list',
    prints: `ID            ORGANISATION  PATTERN       FROM    UNTIL   STATE  WHAT
th129oa3vck5  portland      cafes/visits  always  no end  fits   city:Portland; 2024-01-01/2024-12-31`,
  },
  'grant check': { line: 'grant check', prints: 'All grants fit.' },
  'token list': {
    line: 'token list',
    prints: `ID            ORGANISATION  NAME     SCOPES                 STATE   CREATED                   EXPIRES                   LAST USED
skgrpjealmi3  portland      reports  catalog,metrics,usage  active  2026-01-02T03:04:05.678Z  2026-04-02T03:04:05.678Z  never`,
  },
  'token revoke': {
    line: 'token revoke skgrpjealmi3',
    prints: 'Revoked the token skgrpjealmi3 (reports).',
  },
  'limits set': {
    line: 'limits set portland --requests-per-second 50 --rows-per-day 100000',
    prints: 'The limits of portland: 50 requests per second, 100000 rows per day.',
  },
  'limits list': {
    line: 'limits list',
    prints: `ORGANISATION  REQUESTS/S  BURST  ROWS/DAY  ROWS/MONTH  CONCURRENT  VIEWED/DAY
portland      50          none   100000    none        none        none`,
  },
  explain: {
    line: `explain listRecords '{"dataReferenceName": "cafes.places", "filters": [{"fieldName": "id", "operator": "==", "value": "PEA1"}]}'`,
    prints: `records of cafes.places 20260102T030405678Z-0123456789ab
  filters  == id
  order    key asc
  store    rows
  index    series (1 values)
  bound    16 µs
  why      An index finds the records.

count of cafes.places 20260102T030405678Z-0123456789ab
  filters  == id
  order    none
  store    rows
  index    series (1 values)
  bound    15 µs
  why      An index finds the records.
  only if  More rows match than the page has, and the query of the page did not count them.`,
  },
  backup: { line: 'backup copies', prints: 'Wrote copies/control.sqlite (116 KiB)' },
} as const satisfies Readonly<Record<string, { readonly line: string; readonly prints: string }>>;
