/** A table of the control store whose rows decide rights. */
export type RightsTable = {
  readonly name: RightsTableName;
  /** The column that identifies a row. */
  readonly key: string;
  /** The column of the organisation that a row belongs to; undefined: it belongs to none. */
  readonly organisation: string | undefined;
  /** The columns that the checksum covers, in this order. All but caches and the times of last use. */
  readonly columns: readonly string[];
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
      ...['rows_per_day', 'rows_per_month', 'concurrent_queries'],
    ],
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
export function isWholeSql({ name, columns }: RightsTable): string {
  const values = columns.map((column) => `${name}.${column}`).join(', ');
  return `(row_checksum('${name}', ${values}) = ${name}.checksum)`;
}

export function rightsTable(name: RightsTableName): RightsTable {
  const found = RIGHTS_TABLES.find((table) => table.name === name);
  if (found === undefined) throw new Error(`The table ${name} decides no rights.`);
  return found;
}
