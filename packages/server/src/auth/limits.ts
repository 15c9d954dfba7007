import type { DatabaseSync } from 'node:sqlite';
import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { ControlError } from '@locmetrics/core/errors/control-error';
import {
  readOptionalNumber,
  readText,
  type SqliteRow,
} from '@locmetrics/data-directory/sqlite/sqlite-row';
import type { Actor } from './actor.ts';
import type { StoreParts } from './store-parts.ts';

export type LimitName = keyof OrganisationLimits;

/** The new values; 0 removes a limit, and an absent member leaves it unchanged. */
export type LimitChanges = { readonly [Name in LimitName]?: number };

export type LimitsEntry = {
  readonly organisationId: string;
  readonly limits: OrganisationLimits;
};

export type LimitOperations = {
  /** Throws a ControlError for an unknown organisation or an invalid limit. */
  setLimits(organisationId: string, changes: LimitChanges, by?: Actor): LimitsEntry;
  /** The limits of one organisation, or of all organisations with limits. */
  listLimits(filter?: { readonly organisationId?: string }): readonly LimitsEntry[];
};

const COLUMN_OF: Readonly<Record<LimitName, string>> = {
  requestsPerSecond: 'requests_per_second',
  burst: 'burst',
  rowsPerDay: 'rows_per_day',
  rowsPerMonth: 'rows_per_month',
  concurrentQueries: 'concurrent_queries',
  viewedRowsPerDay: 'viewed_rows_per_day',
};

/** In the order of the output. */
export const LIMIT_NAMES: readonly LimitName[] = [
  'requestsPerSecond',
  'burst',
  'rowsPerDay',
  'rowsPerMonth',
  'concurrentQueries',
  'viewedRowsPerDay',
];
const COLUMNS = LIMIT_NAMES.map((name) => COLUMN_OF[name]).join(', ');

export function prepareLimits({
  database,
  organisations,
  makeChange,
  rights,
}: StoreParts): LimitOperations {
  const replace = database.prepare(
    `INSERT INTO organisation_limit (organisation, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (organisation) DO UPDATE
     SET (${COLUMNS}) = (${LIMIT_NAMES.map((name) => `excluded.${COLUMN_OF[name]}`).join(', ')})`,
  );
  const selectOrganisations = database.prepare('SELECT id FROM organisation ORDER BY id');
  const readLimits = prepareLimitReading(database);
  const read = (organisationId: string): OrganisationLimits => {
    rights.checkOrganisationRights(organisationId);
    return readLimits(organisationId);
  };

  return {
    setLimits(organisationId, changes, by) {
      for (const name of LIMIT_NAMES) checkLimit(name, changes[name]);
      organisations.checkOrganisation(organisationId);
      return makeChange(by, () => {
        const limits = mergeLimits(read(organisationId), changes);
        replace.run(organisationId, ...LIMIT_NAMES.map((name) => limits[name] ?? null));
        return {
          result: { organisationId, limits },
          change: {
            action: 'limits.set',
            organisationId,
            subject: organisationId,
            details: limits,
          },
        };
      });
    },

    listLimits({ organisationId } = {}) {
      if (organisationId !== undefined) {
        organisations.checkOrganisation(organisationId);
        return [{ organisationId, limits: read(organisationId) }];
      }
      rights.checkRows('organisation_limit');
      return selectOrganisations
        .all()
        .map((row) => readText(row, 'id'))
        .map((id) => ({ organisationId: id, limits: read(id) }))
        .filter(({ limits }) => Object.keys(limits).length > 0);
    },
  };
}

/** Reads the limits of an organisation; empty if none are set. */
export function prepareLimitReading(
  database: DatabaseSync,
): (organisationId: string) => OrganisationLimits {
  const select = database.prepare(
    `SELECT ${COLUMNS} FROM organisation_limit WHERE organisation = ?`,
  );
  return (organisationId) => {
    const row = select.get(organisationId);
    return row === undefined ? {} : toLimits(row);
  };
}

function toLimits(row: SqliteRow): OrganisationLimits {
  return Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => {
      const value = readOptionalNumber(row, COLUMN_OF[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A larger rate than a machine can serve is a typing error. */
const REQUESTS_PER_SECOND_MAX = 1_000_000;

function checkLimit(name: LimitName, value: number | undefined): void {
  if (value === undefined || value === 0) return;
  const isRate = name === 'requestsPerSecond';
  const isFitting = isRate
    ? value > 0 && value <= REQUESTS_PER_SECOND_MAX
    : value > 0 && Number.isSafeInteger(value);
  if (isFitting) return;
  throw new ControlError(
    `${name} cannot be ${value}.`,
    isRate
      ? `Choose a number above 0 and up to ${REQUESTS_PER_SECOND_MAX}, or 0 to remove the limit.`
      : 'Choose a whole number of 1 or more, or 0 to remove the limit.',
    { reason: 'INVALID_LIMIT', pointer: `/${name}` },
  );
}

function mergeLimits(before: OrganisationLimits, changes: LimitChanges): OrganisationLimits {
  const limits = Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => {
      const value = changes[name] ?? before[name] ?? 0;
      return value === 0 ? [] : [[name, value]];
    }),
  ) satisfies OrganisationLimits;
  if (limits['requestsPerSecond'] !== undefined) return limits;
  if ((changes.burst ?? 0) > 0) {
    throw new ControlError(
      'A burst needs a rate of requests per second, and there is none.',
      'Set the requests per second too.',
      { reason: 'INVALID_LIMIT', pointer: '/burst' },
    );
  }
  // Without a rate the burst is removed too.
  const { burst: _, ...others } = limits;
  return others;
}
