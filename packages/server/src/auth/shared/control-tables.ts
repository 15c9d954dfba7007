import { type LoggedTable, logChangesSql } from '../../postgres/change-log.ts';
import type { PostgresSchema } from '../../postgres/postgres-schema.ts';

/**
 * The tables of the control store in PostgreSQL: those of SQLite, with the same names and columns. Each change of them
 * is in the log of changes, but for the times of last use, which would fill it.
 */
export const SHARED_CONTROL_SCHEMA: PostgresSchema = {
  name: 'control store',
  migrations: [
    `CREATE TABLE organisation (
       id text PRIMARY KEY,
       name text NOT NULL,
       created bigint NOT NULL,
       rights_version bigint NOT NULL DEFAULT 0,
       suspended bigint
     );
     CREATE TABLE token (
       id text PRIMARY KEY,
       organisation text NOT NULL REFERENCES organisation (id) DEFERRABLE INITIALLY DEFERRED,
       name text NOT NULL,
       hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
       created bigint NOT NULL,
       expires bigint,
       last_used bigint,
       revoked bigint,
       scopes text NOT NULL DEFAULT 'catalog,metrics,usage',
       replaced_by text REFERENCES token (id) DEFERRABLE INITIALLY DEFERRED
     );
     CREATE TABLE access_grant (
       id text PRIMARY KEY,
       organisation text NOT NULL REFERENCES organisation (id) DEFERRABLE INITIALLY DEFERRED,
       pattern text NOT NULL,
       terms text NOT NULL CHECK (terms::json IS NOT NULL),
       starts bigint,
       ends bigint,
       created bigint NOT NULL
     );
     CREATE TABLE organisation_limit (
       organisation text PRIMARY KEY REFERENCES organisation (id) DEFERRABLE INITIALLY DEFERRED,
       requests_per_second double precision,
       burst bigint,
       rows_per_day bigint,
       rows_per_month bigint,
       concurrent_queries bigint
     );
     CREATE TABLE sign_in_link (
       id text PRIMARY KEY,
       organisation text NOT NULL REFERENCES organisation (id) DEFERRABLE INITIALLY DEFERRED,
       scopes text NOT NULL,
       hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
       created bigint NOT NULL,
       expires bigint NOT NULL
     );
     CREATE TABLE secret (
       name text PRIMARY KEY,
       value bytea NOT NULL
     );
     CREATE TABLE audit (
       id bigint PRIMARY KEY,
       time bigint NOT NULL,
       actor text NOT NULL CHECK (actor::json IS NOT NULL),
       action text NOT NULL,
       organisation text NOT NULL,
       subject text NOT NULL,
       details text NOT NULL CHECK (details::json IS NOT NULL)
     );
     -- Tells after a lost connection whether a change was committed.
     CREATE TABLE control_batch (
       id uuid PRIMARY KEY,
       time timestamptz NOT NULL DEFAULT now()
     );
     CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       RAISE EXCEPTION 'The audit log is only appended to.';
     END $$;
     CREATE TRIGGER audit_not_changed BEFORE UPDATE OR DELETE ON audit
       FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
     CREATE TRIGGER audit_not_emptied BEFORE TRUNCATE ON audit
       FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
     -- As in SQLite, also for changes by hand: rights are kept until this number is another one.
     CREATE FUNCTION count_rights_change() RETURNS trigger LANGUAGE plpgsql
     SET search_path FROM CURRENT AS $$
     BEGIN
       UPDATE organisation SET rights_version = rights_version + 1
       WHERE id IN (to_jsonb(OLD) ->> 'organisation', to_jsonb(NEW) ->> 'organisation');
       RETURN NULL;
     END $$;
     CREATE TRIGGER access_grant_counted AFTER INSERT OR UPDATE OR DELETE ON access_grant
       FOR EACH ROW EXECUTE FUNCTION count_rights_change();
     CREATE TRIGGER organisation_limit_counted AFTER INSERT OR UPDATE OR DELETE ON organisation_limit
       FOR EACH ROW EXECUTE FUNCTION count_rights_change();
     ${logChangesSql('organisation', ['id'])}
     ${logChangesSql('token', ['id'], ['id', 'organisation', 'name', 'hash', 'created', 'expires', 'revoked', 'scopes', 'replaced_by'])}
     ${logChangesSql('access_grant', ['id'])}
     ${logChangesSql('organisation_limit', ['organisation'])}
     ${logChangesSql('sign_in_link', ['id'])}
     ${logChangesSql('secret', ['name'])}
     ${logChangesSql('audit', ['id'])}`,
  ],
};

/** A table of the control store, the same in both databases. */
export type ControlTable = LoggedTable & {
  /** The only column of its key. */
  readonly keyColumn: string;
  /** Columns that are not in the log, and are copied in another way. */
  readonly unlogged: readonly string[];
};

/** In an order in which rows refer to tables before their own. */
export const CONTROL_TABLES: readonly ControlTable[] = [
  table('organisation', ['id', 'name', 'created', 'rights_version', 'suspended']),
  table(
    'token',
    [
      'id',
      'organisation',
      'name',
      'hash',
      'created',
      'expires',
      'revoked',
      'scopes',
      'replaced_by',
    ],
    { unlogged: ['last_used'] },
  ),
  table('access_grant', ['id', 'organisation', 'pattern', 'terms', 'starts', 'ends', 'created']),
  table('organisation_limit', [
    'organisation',
    'requests_per_second',
    'burst',
    'rows_per_day',
    'rows_per_month',
    'concurrent_queries',
  ]),
  table('sign_in_link', ['id', 'organisation', 'scopes', 'hash', 'created', 'expires']),
  table('secret', ['name', 'value']),
  table('audit', ['id', 'time', 'actor', 'action', 'organisation', 'subject', 'details'], {
    keyType: 'bigint',
  }),
];

/** The first column is the key. */
function table(
  name: string,
  columns: readonly string[],
  {
    keyType = 'text',
    unlogged = [],
  }: { readonly keyType?: 'text' | 'bigint'; readonly unlogged?: readonly string[] } = {},
): ControlTable {
  const [keyColumn = ''] = columns;
  return { name, keyColumn, key: { [keyColumn]: keyType }, columns, unlogged };
}
