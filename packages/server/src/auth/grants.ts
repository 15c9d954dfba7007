import type { DatabaseSync } from 'node:sqlite';
import { checkGrantTerms, type Grant, type GrantTerms } from '@locmetrics/core/domain/grant';
import { ControlError } from '@locmetrics/core/errors/control-error';
import {
  readInteger,
  readJson,
  readOptionalInteger,
  readText,
  type SqliteRow,
} from '@locmetrics/data-directory/sqlite/sqlite-row';
import type { Actor } from './actor.ts';
import { type Change, TAKES_AWAY } from './make-change.ts';
import { quoteInput } from './quote-input.ts';
import { BASE32, randomText } from './random-text.ts';
import { RightsDamagedError } from './rights-damaged-error.ts';
import type { StoreParts } from './store-parts.ts';

/** A stored grant with its organisation. */
export type GrantEntry = {
  readonly grant: Grant;
  readonly organisationId: string;
  readonly created: number;
};

/** A grant with its new terms, and with those before. */
export type ReplacedGrant = GrantEntry & { readonly before: Grant };

export type GrantOperations = {
  /**
   * Adds a grant to an organisation. Throws a ServiceError for invalid terms, and a ControlError for an
   * unknown organisation, or if the organisation has a grant with the same pattern at the same time.
   * `checkGrant` of the service checks whether the terms fit the published data.
   */
  addGrant(organisationId: string, terms: GrantTerms, by?: Actor): GrantEntry;
  /**
   * Throws as `addGrant` does, and adds nothing. `replacedId`: as `replaceGrant` does, if the grant is one of the
   * organisation.
   */
  checkNewGrant(organisationId: string, terms: GrantTerms, replacedId?: string): void;
  /**
   * Replaces all terms of a grant in one transaction: its id, organisation and time of creation stay. Throws as
   * `addGrant` does, and a ControlError if there is no such grant.
   */
  replaceGrant(grantId: string, terms: GrantTerms, by?: Actor): ReplacedGrant;
  /** The grants of one organisation, or of all, including ended ones; oldest first. */
  listGrants(filter?: {
    readonly organisationId?: string;
    /** Leaves out organisations whose rights are damaged, which are refused anyway. Default: throws. */
    readonly skipsDamaged?: boolean;
  }): readonly GrantEntry[];
  /** Throws a ControlError if there is no such grant. */
  removeGrant(grantId: string, by?: Actor): GrantEntry;
};

const GRANT_ID_LENGTH = 12;

/** Each request checks all grants of its organisation. */
const GRANTS_MAX = 1_000;
/** Enough for 10,000 values of a dozen characters. */
const TERMS_MAX_BYTES = 256 * 1024;

const COLUMNS = 'id, organisation, pattern, terms, starts, ends, created';

export function prepareGrants({
  database,
  clock,
  random,
  organisations,
  makeChange,
  rights,
}: StoreParts): GrantOperations {
  const insert = database.prepare(
    `INSERT INTO access_grant (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const selectList = database.prepare(
    `SELECT ${COLUMNS} FROM access_grant WHERE organisation = ? ORDER BY created, id`,
  );
  const update = database.prepare(
    'UPDATE access_grant SET (pattern, terms, starts, ends) = (?, ?, ?, ?) WHERE id = ?',
  );
  const remove = database.prepare('DELETE FROM access_grant WHERE id = ?');
  const selectOrganisation = database.prepare('SELECT organisation FROM access_grant WHERE id = ?');
  const selectOrganisations = database.prepare('SELECT id FROM organisation ORDER BY id');
  /** The grants of one organisation, checked. */
  const list = (organisationId: string): readonly GrantEntry[] => {
    rights.checkOrganisationRights(organisationId);
    return selectList.all(organisationId).map(toEntry);
  };
  const listAll = ({ skipsDamaged }: { readonly skipsDamaged: boolean }): readonly GrantEntry[] => {
    const known = selectOrganisations.all().map((row) => readText(row, 'id'));
    if (skipsDamaged) return known.flatMap((id) => ifWhole(() => list(id)));
    rights.checkRows('access_grant');
    return known.flatMap(list);
  };
  const find = (grantId: string): GrantEntry => {
    const row = selectOrganisation.get(grantId);
    const entries = row === undefined ? [] : list(readText(row, 'organisation'));
    const found = entries.find(({ grant }) => grant.grantId === grantId);
    if (found !== undefined) return found;
    throw unknownGrant(grantId);
  };

  return {
    addGrant(organisationId, terms, by) {
      const written = checkTerms(terms, clock());
      organisations.checkOrganisation(organisationId);
      return makeChange(by, (now) => {
        const grantId = randomText({ alphabet: BASE32, length: GRANT_ID_LENGTH, random });
        const { pattern, starts = null, ends = null } = terms;
        checkOthers(terms, { now, others: list(organisationId) });
        insert.run(grantId, organisationId, pattern, written, starts, ends, now);
        const result = { grant: { ...terms, grantId }, organisationId, created: now };
        return { result, change: changeOf('grant.add', result) };
      });
    },

    checkNewGrant(organisationId, terms, replacedId) {
      const now = clock();
      checkTerms(terms, now);
      organisations.checkOrganisation(organisationId);
      checkOthers(terms, { now, others: withoutReplaced(list(organisationId), replacedId) });
    },

    replaceGrant(grantId, terms, by) {
      const written = checkTerms(terms, clock());
      return makeChange(by, (now) => {
        const { grant: before, organisationId, created } = find(grantId);
        checkOthers(terms, { now, others: withoutReplaced(list(organisationId), grantId) });
        const { pattern, starts = null, ends = null } = terms;
        update.run(pattern, written, starts, ends, grantId);
        const result = { grant: { ...terms, grantId }, organisationId, created, before };
        return { result, change: replacementOf(result) };
      });
    },

    listGrants({ organisationId, skipsDamaged = false } = {}) {
      if (organisationId !== undefined) organisations.checkOrganisation(organisationId);
      return organisationId === undefined ? listAll({ skipsDamaged }) : list(organisationId);
    },

    removeGrant(grantId, by) {
      return makeChange(
        by,
        () => {
          const result = find(grantId);
          remove.run(grantId);
          return { result, change: changeOf('grant.remove', result) };
        },
        TAKES_AWAY,
      );
    },
  };
}

function ifWhole<Item>(read: () => readonly Item[]): readonly Item[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof RightsDamagedError) return [];
    throw error;
  }
}

/** Reads the grants of an organisation that are valid at a time or later. */
export function prepareGrantReading(
  database: DatabaseSync,
): (organisationId: string, now: number) => readonly Grant[] {
  const select = database.prepare(
    `SELECT ${COLUMNS} FROM access_grant WHERE organisation = ? AND (ends IS NULL OR ends > ?)
     ORDER BY created, id`,
  );
  return (organisationId, now) => select.all(organisationId, now).map((row) => toEntry(row).grant);
}

/** The other grants. Throws a ControlError if the one that is replaced is not among them. */
export function withoutReplaced(
  entries: readonly GrantEntry[],
  replacedId: string | undefined,
): readonly GrantEntry[] {
  if (replacedId === undefined) return entries;
  const replaced = findGrant(replacedId, entries);
  return entries.filter((entry) => entry !== replaced);
}

function findGrant(grantId: string, entries: readonly GrantEntry[]): GrantEntry {
  const found = entries.find(({ grant }) => grant.grantId === grantId);
  if (found === undefined) throw unknownGrant(grantId);
  return found;
}

function changeOf(action: 'grant.add' | 'grant.remove', entry: GrantEntry): Change {
  const { grantId: subject, ...details } = entry.grant;
  return { action, organisationId: entry.organisationId, subject, details };
}

function replacementOf({ grant, before, organisationId }: ReplacedGrant): Change {
  const { grantId: subject, ...details } = grant;
  const { grantId: _, ...old } = before;
  return { action: 'grant.replace', organisationId, subject, details: { ...details, before: old } };
}

/** Refuses terms that are wrong for any organisation; returns them as they are stored. */
function checkTerms(terms: GrantTerms, now: number): string {
  checkGrantTerms(terms);
  checkTimes(terms, now);
  return writeTerms(terms);
}

function checkTimes({ starts = 0, ends }: GrantTerms, now: number): void {
  if (ends === undefined || ends > Math.max(starts, now)) return;
  const at = { reason: 'INVALID_PERIOD', pointer: '/until' } as const;
  throw ends <= now
    ? new ControlError('The last day of the grant has passed.', 'Choose today or a later one.', at)
    : new ControlError('The grant ends before it starts.', 'Swap the two days.', at);
}

function checkOthers(
  { pattern, starts, ends }: GrantTerms,
  { now, others }: { readonly now: number; readonly others: readonly GrantEntry[] },
): void {
  if (others.length >= GRANTS_MAX) {
    throw new ControlError(
      `The organisation has ${others.length} grants.`,
      'Remove those that have ended, or combine several into one with a star.',
      { reason: 'INVALID_GRANT' },
    );
  }
  const other = others.find(
    ({ grant }) =>
      grant.pattern === pattern &&
      // Only days from now on matter.
      startOf(grant.starts, now) < endOf(ends) &&
      startOf(starts, now) < endOf(grant.ends),
  );
  if (other === undefined) return;
  throw new ControlError(
    `The organisation already has a grant of '${pattern}' for some of these days: ${other.grant.grantId}.`,
    'Replace its terms, or choose other days: a pattern can have only one grant on any day.',
    { reason: 'GRANT_EXISTS', pointer: '/pattern' },
  );
}

function startOf(starts: number | undefined, now: number): number {
  return Math.max(starts ?? 0, now);
}

function endOf(ends: number | undefined): number {
  return ends ?? Number.POSITIVE_INFINITY;
}

/** No similar id is suggested: it is the grant of somebody else, and its removal is not undone. */
function unknownGrant(grantId: string): ControlError {
  return new ControlError(
    `Unknown grant ${quoteInput(grantId)}.`,
    'List the grants to see their ids.',
    { reason: 'GRANT_NOT_FOUND' },
  );
}

/** The members of a grant without a column of their own. */
type StoredTerms = Pick<Grant, 'filters' | 'lens' | 'showsSmallCells' | 'liftsDefaultFilters'> & {
  readonly fields?: readonly string[];
};

function writeTerms(terms: GrantTerms): string {
  const { filters, lens, fields, showsSmallCells, liftsDefaultFilters } = terms;
  const stored: StoredTerms = {
    filters,
    lens,
    ...(fields === undefined ? {} : { fields }),
    showsSmallCells,
    liftsDefaultFilters,
  };
  const written = JSON.stringify(stored);
  if (Buffer.byteLength(written) <= TERMS_MAX_BYTES) return written;
  throw new ControlError(
    `The grant takes more than ${TERMS_MAX_BYTES / 1024} KiB.`,
    'Publish a field that can be filtered instead of a long list of values.',
    { reason: 'INVALID_GRANT' },
  );
}

function toEntry(row: SqliteRow): GrantEntry {
  // Only `writeTerms` and the migrations write this column.
  const stored = readJson(row, 'terms') as StoredTerms;
  return {
    grant: {
      grantId: readText(row, 'id'),
      pattern: readText(row, 'pattern'),
      filters: stored.filters,
      lens: stored.lens,
      fields: stored.fields,
      starts: readOptionalInteger(row, 'starts'),
      ends: readOptionalInteger(row, 'ends'),
      showsSmallCells: stored.showsSmallCells,
      liftsDefaultFilters: stored.liftsDefaultFilters,
    },
    organisationId: readText(row, 'organisation'),
    created: readInteger(row, 'created'),
  };
}
