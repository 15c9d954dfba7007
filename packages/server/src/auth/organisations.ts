import type { DatabaseSync } from 'node:sqlite';
import { ControlError } from '@locmetrics/core/errors/control-error';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import {
  readInteger,
  readOptionalInteger,
  readText,
  type SqliteRow,
} from '@locmetrics/data-directory/sqlite/sqlite-row';
import type { Actor } from './actor.ts';
import { checkName } from './check-name.ts';
import type { RightsCheck } from './check-rights.ts';
import { type MakeChange, TAKES_AWAY } from './make-change.ts';
import { quoteInput } from './quote-input.ts';
import { BASE32, type RandomBytes, randomText } from './random-text.ts';

export type Organisation = {
  readonly id: string;
  readonly name: string;
  readonly created: number;
  /** Since when all its tokens are refused; undefined: they are not. */
  readonly suspended: number | undefined;
};

/** An organisation after it was suspended or resumed. */
export type ChangedOrganisation = Organisation & {
  /** False if it was in this state already; then nothing is logged. */
  readonly hasChanged: boolean;
};

export type OrganisationOperations = {
  /**
   * Adds an organisation. Callers send its id as billing context; by default an id of 20 characters is
   * generated. The organisation sees no data before it has a grant. Throws a ControlError for an invalid
   * name, or an invalid or existing id.
   */
  createOrganisation(
    organisation: { readonly name: string; readonly id?: string },
    by?: Actor,
  ): Organisation;
  /** All organisations, oldest first. */
  listOrganisations(): readonly Organisation[];
  /**
   * Refuses all tokens of an organisation from the next request on, in every process, until it is resumed.
   * Nothing is removed. Suspending it again succeeds and keeps the first time. Throws a ControlError for an
   * unknown organisation, and for that of the token that asks for it.
   */
  suspendOrganisation(id: string, by?: Actor): ChangedOrganisation;
  /**
   * Accepts the tokens of a suspended organisation again, with the same grants and limits. Resuming one that
   * is not suspended succeeds. Throws a ControlError for an unknown organisation.
   */
  resumeOrganisation(id: string, by?: Actor): ChangedOrganisation;
  /** Throws a ControlError, with the nearest known id as hint, unless the organisation exists. */
  checkOrganisation(id: string): void;
  /** The organisation. Throws as `checkOrganisation` does. */
  getOrganisation(id: string): Organisation;
};

const ID_SHAPE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The same length as the ids of the hosted service, so that they fit the same fields. */
const GENERATED_ID_LENGTH = 20;

const COLUMNS = 'id, name, created, suspended';

export function prepareOrganisations({
  database,
  random,
  makeChange,
  rights,
}: {
  readonly database: DatabaseSync;
  readonly random: RandomBytes | undefined;
  readonly makeChange: MakeChange;
  readonly rights: RightsCheck;
}): OrganisationOperations {
  const insert = database.prepare(
    'INSERT INTO organisation (id, name, created) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const selectAll = database.prepare(`SELECT ${COLUMNS} FROM organisation ORDER BY created, id`);
  const selectIds = database.prepare('SELECT id FROM organisation');
  const selectOne = database.prepare(`SELECT ${COLUMNS} FROM organisation WHERE id = ?`);
  const updateSuspended = database.prepare('UPDATE organisation SET suspended = ? WHERE id = ?');

  function findOrganisation(id: string): Organisation {
    rights.checkRow('organisation', id);
    const row = selectOne.get(id);
    if (row !== undefined) return toOrganisation(row);
    const known = selectIds.all().map((entry) => readText(entry, 'id'));
    throw new ControlError(
      `Unknown organisation ${quoteInput(id)}.`,
      known.length === 0 ? 'No organisation exists yet: create one first.' : nameHint(id, known),
      { reason: 'ORGANISATION_NOT_FOUND', pointer: '/organisationId' },
    );
  }

  return {
    createOrganisation({ name, id: wanted }, by) {
      const id = wanted ?? randomText({ alphabet: BASE32, length: GENERATED_ID_LENGTH, random });
      const checkedName = checkName(name, 'organisation');
      checkId(id);
      return makeChange(by, (created) => {
        const organisation = { id, name: checkedName, created, suspended: undefined };
        if (insert.run(id, checkedName, created).changes === 0) throw idExists(id);
        const details = { name: checkedName };
        return {
          result: organisation,
          change: { action: 'organisation.create', organisationId: id, subject: id, details },
        };
      });
    },

    listOrganisations() {
      rights.checkRows('organisation');
      return selectAll.all().map(toOrganisation);
    },

    suspendOrganisation(id, by) {
      if (by?.kind === 'token' && by.organisationId === id) throw isOwn(id);
      return makeChange<ChangedOrganisation>(
        by,
        (suspended) => {
          const before = findOrganisation(id);
          if (before.suspended !== undefined) return { result: { ...before, hasChanged: false } };
          updateSuspended.run(suspended, id);
          const details = { name: before.name };
          return {
            result: { ...before, suspended, hasChanged: true },
            change: { action: 'organisation.suspend', organisationId: id, subject: id, details },
          };
        },
        TAKES_AWAY,
      );
    },

    resumeOrganisation(id, by) {
      return makeChange<ChangedOrganisation>(by, () => {
        const before = findOrganisation(id);
        if (before.suspended === undefined) return { result: { ...before, hasChanged: false } };
        updateSuspended.run(null, id);
        const { name, suspended } = before;
        const details = { name, suspended };
        return {
          result: { ...before, suspended: undefined, hasChanged: true },
          change: { action: 'organisation.resume', organisationId: id, subject: id, details },
        };
      });
    },

    checkOrganisation(id) {
      findOrganisation(id);
    },

    getOrganisation: findOrganisation,
  };
}

function checkId(id: string): void {
  if (ID_SHAPE.test(id)) return;
  throw new ControlError(
    `${quoteInput(id)} cannot be the id of an organisation.`,
    'Use 1 to 64 letters, digits, dots, underscores and hyphens, the first a letter or digit; ' +
      'or leave the id out to have one generated.',
    { reason: 'INVALID_REQUEST', pointer: '/id' },
  );
}

function idExists(id: string): ControlError {
  return new ControlError(
    `An organisation with the id '${id}' already exists.`,
    'Choose another id, or leave it out to have one generated.',
    { reason: 'ORGANISATION_EXISTS', pointer: '/id' },
  );
}

/** A slip would otherwise lock out the programs that could undo it. */
function isOwn(id: string): ControlError {
  return new ControlError(
    `The organisation '${id}' is that of the token itself.`,
    'Use a token of another organisation, or locmetrics org suspend on the machine of the service.',
    { reason: 'OWN_ORGANISATION', pointer: '/organisationId' },
  );
}

function toOrganisation(row: SqliteRow): Organisation {
  return {
    id: readText(row, 'id'),
    name: readText(row, 'name'),
    created: readInteger(row, 'created'),
    suspended: readOptionalInteger(row, 'suspended'),
  };
}
