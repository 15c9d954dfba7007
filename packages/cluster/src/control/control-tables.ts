import { type LoggedTable, logChangesSql } from '../postgres/change-log.ts';
import type { PostgresSchema } from '../postgres/postgres-schema.ts';

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
    addChecksums(),
    addViewedRows(),
  ],
};

/**
 * The same checksums as in SQLite, made here: so they also fit the rows that an earlier release writes, or an operator by
 * hand.
 */
function addChecksums(): string {
  const checked = (name: string, parts: readonly string[]): string => {
    const partsOf = (row: string): string => parts.map((part) => part.replace('$', row)).join(', ');
    return `ALTER TABLE ${name} ADD COLUMN checksum bigint NOT NULL DEFAULT 0;
      CREATE FUNCTION write_${name}_checksum() RETURNS trigger LANGUAGE plpgsql
      SET search_path FROM CURRENT AS $$
      BEGIN
        NEW.checksum := row_checksum('${name}', ${partsOf('NEW.')});
        RETURN NEW;
      END $$;
      ALTER TABLE ${name} DISABLE TRIGGER USER;
      UPDATE ${name} SET checksum = row_checksum('${name}', ${partsOf('')});
      ALTER TABLE ${name} ENABLE TRIGGER USER;
      CREATE TRIGGER ${name}_checksum BEFORE INSERT OR UPDATE ON ${name}
        FOR EACH ROW EXECUTE FUNCTION write_${name}_checksum();`;
  };
  return `ALTER TABLE secret ADD COLUMN replaced bigint;
    ALTER TABLE organisation ADD COLUMN rights_checksum bigint NOT NULL DEFAULT 0;
    CREATE FUNCTION row_checksum(VARIADIC parts text[]) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
      SELECT ('x' || left(encode(sha256(string_agg(
        convert_to(coalesce(octet_length(convert_to(part, 'UTF8')) || ':' || part, 'n'), 'UTF8'), ''::bytea ORDER BY place
      )), 'hex'), 13))::bit(52)::bigint
      FROM unnest(parts) WITH ORDINALITY AS given (part, place)
    $$;
    ${checked('token', [
      ...['$id', '$organisation', '$name', hexOf('$hash'), textOf('$created'), textOf('$expires')],
      ...[textOf('$revoked'), '$scopes', '$replaced_by'],
    ])}
    ${checked('access_grant', [
      ...['$id', '$organisation', '$pattern', '$terms', textOf('$starts'), textOf('$ends')],
      textOf('$created'),
    ])}
    ${checked('organisation_limit', [
      ...['$organisation', hexOf('float8send($requests_per_second)'), textOf('$burst')],
      ...[textOf('$rows_per_day'), textOf('$rows_per_month'), textOf('$concurrent_queries')],
    ])}
    ${checked('sign_in_link', [
      ...['$id', '$organisation', '$scopes', hexOf('$hash'), textOf('$created')],
      textOf('$expires'),
    ])}
    ${checked('secret', ['$name', hexOf('$value'), textOf('$replaced')])}
    ALTER TABLE organisation DISABLE TRIGGER USER;
    UPDATE organisation SET rights_checksum = ((
      SELECT coalesce(sum(checksum), 0) FROM (
        SELECT organisation, checksum FROM access_grant
        UNION ALL SELECT organisation, checksum FROM organisation_limit
      ) AS rights WHERE rights.organisation = organisation.id
    ) % 4503599627370496)::bigint;
    ALTER TABLE organisation ENABLE TRIGGER USER;
    ${checked('organisation', [
      ...['$id', '$name', textOf('$created'), textOf('$suspended'), textOf('$rights_checksum')],
    ])}
    CREATE FUNCTION add_rights_checksum() RETURNS trigger LANGUAGE plpgsql
    SET search_path FROM CURRENT AS $$
    DECLARE
      mask CONSTANT bigint := 4503599627370495;
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        UPDATE organisation SET rights_checksum = ((rights_checksum & mask) - (OLD.checksum & mask)) & mask
        WHERE id = OLD.organisation;
      END IF;
      IF TG_OP <> 'DELETE' THEN
        UPDATE organisation SET rights_checksum = ((rights_checksum & mask) + (NEW.checksum & mask)) & mask
        WHERE id = NEW.organisation;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER access_grant_added AFTER INSERT OR UPDATE OR DELETE ON access_grant
      FOR EACH ROW EXECUTE FUNCTION add_rights_checksum();
    CREATE TRIGGER organisation_limit_added AFTER INSERT OR UPDATE OR DELETE ON organisation_limit
      FOR EACH ROW EXECUTE FUNCTION add_rights_checksum();`;
}

/** The checksum covers the new column only if it has a value, so nodes of the earlier release accept all other rows. */
function addViewedRows(): string {
  const before = [
    ...['NEW.organisation', hexOf('float8send(NEW.requests_per_second)')],
    ...['burst', 'rows_per_day', 'rows_per_month', 'concurrent_queries'].map((column) =>
      textOf(`NEW.${column}`),
    ),
  ].join(', ');
  return `ALTER TABLE organisation_limit ADD COLUMN viewed_rows_per_day bigint;
    CREATE OR REPLACE FUNCTION write_organisation_limit_checksum() RETURNS trigger LANGUAGE plpgsql
    SET search_path FROM CURRENT AS $$
    BEGIN
      NEW.checksum := CASE WHEN NEW.viewed_rows_per_day IS NULL
        THEN row_checksum('organisation_limit', ${before})
        ELSE row_checksum('organisation_limit', ${before}, ${textOf('NEW.viewed_rows_per_day')}) END;
      RETURN NEW;
    END $$;`;
}

function hexOf(value: string): string {
  return `encode(${value}, 'hex')`;
}

function textOf(value: string): string {
  return `${value}::text`;
}

/** A table of the control store, the same in both databases. */
export type ControlTable = LoggedTable & {
  /** The only column of its key. */
  readonly keyColumn: string;
  /** Columns that are not in the log, and are copied in another way. */
  readonly unlogged: readonly string[];
  /** The other columns that a change writes; PostgreSQL computes the rest. */
  readonly written: readonly string[];
};

const CHECKSUM = ['checksum'];

/** In an order in which rows refer to tables before their own. */
export const CONTROL_TABLES: readonly ControlTable[] = [
  table('organisation', ['id', 'name', 'created', 'rights_version', 'suspended'], {
    computed: ['rights_checksum', 'checksum'],
  }),
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
    { unlogged: ['last_used'], computed: CHECKSUM },
  ),
  table('access_grant', ['id', 'organisation', 'pattern', 'terms', 'starts', 'ends', 'created'], {
    computed: CHECKSUM,
  }),
  table(
    'organisation_limit',
    [
      ...['organisation', 'requests_per_second', 'burst'],
      ...['rows_per_day', 'rows_per_month', 'concurrent_queries', 'viewed_rows_per_day'],
    ],
    { computed: CHECKSUM },
  ),
  table('sign_in_link', ['id', 'organisation', 'scopes', 'hash', 'created', 'expires'], {
    computed: CHECKSUM,
  }),
  table('secret', ['name', 'value', 'replaced'], { computed: CHECKSUM }),
  table('audit', ['id', 'time', 'actor', 'action', 'organisation', 'subject', 'details'], {
    keyType: 'bigint',
  }),
];

/** The first column is the key. */
function table(
  name: string,
  written: readonly string[],
  {
    keyType = 'text',
    unlogged = [],
    computed = [],
  }: {
    readonly keyType?: 'text' | 'bigint';
    readonly unlogged?: readonly string[];
    readonly computed?: readonly string[];
  } = {},
): ControlTable {
  const [keyColumn = ''] = written;
  const columns = [...written, ...computed];
  return { name, keyColumn, key: { [keyColumn]: keyType }, columns, unlogged, written };
}
