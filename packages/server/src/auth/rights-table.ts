/** A table of the control store whose rows decide rights. */
export type RightsTable = {
  readonly name: RightsTableName;
  /** The column that identifies a row. */
  readonly key: string;
  /** The column of the organisation that a row belongs to; undefined: it belongs to none. */
  readonly organisation: string | undefined;
  /** The columns that the checksum covers, in this order. All but caches and the times of last use. */
  readonly columns: readonly string[];
  /**
   * The last column, if a later release added it: the checksum covers it only if it has a value. So rows of earlier
   * releases keep their checksums, and nodes with an earlier release accept rows without it.
   */
  readonly addedColumn?: string;
};

export type RightsTableName =
  | 'organisation'
  | 'token'
  | 'access_grant'
  | 'organisation_limit'
  | 'sign_in_link'
  | 'secret';

export const RIGHTS_TABLES: readonly RightsTable[] = [
  {
    name: 'organisation',
    key: 'id',
    organisation: 'id',
    columns: ['id', 'name', 'created', 'suspended', 'rights_checksum'],
  },
  {
    name: 'token',
    key: 'id',
    organisation: 'organisation',
    columns: [
      ...['id', 'organisation', 'name', 'hash', 'created', 'expires'],
      ...['revoked', 'scopes', 'replaced_by'],
    ],
  },
  {
    name: 'access_grant',
    key: 'id',
    organisation: 'organisation',
    columns: ['id', 'organisation', 'pattern', 'terms', 'starts', 'ends', 'created'],
  },
  {
    name: 'organisation_limit',
    key: 'organisation',
    organisation: 'organisation',
    columns: [
      ...['organisation', 'requests_per_second', 'burst'],
      ...['rows_per_day', 'rows_per_month', 'concurrent_queries', 'viewed_rows_per_day'],
    ],
    addedColumn: 'viewed_rows_per_day',
  },
  {
    name: 'sign_in_link',
    key: 'id',
    organisation: 'organisation',
    columns: ['id', 'organisation', 'scopes', 'hash', 'created', 'expires'],
  },
  { name: 'secret', key: 'name', organisation: undefined, columns: ['name', 'value', 'replaced'] },
];

/** SQL: 1 if the content of a row fits its checksum, else 0. */
export function isWholeSql({ name, columns, addedColumn }: RightsTable): string {
  const checksum = (covered: readonly string[]): string =>
    `row_checksum('${name}', ${covered.map((column) => `${name}.${column}`).join(', ')})`;
  const whole = checksum(columns);
  if (addedColumn === undefined) return `(${whole} = ${name}.checksum)`;
  const before = checksum(columns.filter((column) => column !== addedColumn));
  return `(iif(${name}.${addedColumn} IS NULL, ${before}, ${whole}) = ${name}.checksum)`;
}

export function rightsTable(name: RightsTableName): RightsTable {
  const found = RIGHTS_TABLES.find((table) => table.name === name);
  if (found === undefined) throw new Error(`The table ${name} decides no rights.`);
  return found;
}
