import type { DatabaseSync } from 'node:sqlite';
import { ControlError } from '../domain/control-error.ts';
import { nameHint } from '../domain/nearest-name.ts';
import { readInteger, readText, type SqliteRow } from '../sqlite/sqlite-row.ts';
import type { Actor } from './actor.ts';
import { checkName } from './check-name.ts';
import type { MakeChange } from './make-change.ts';
import { quoteInput } from './quote-input.ts';
import { BASE32, type RandomBytes, randomText } from './random-text.ts';

export type Organisation = {
  readonly id: string;
  readonly name: string;
  readonly created: number;
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
  /** Throws a ControlError, with the nearest known id as hint, unless the organisation exists. */
  checkOrganisation(id: string): void;
};

const ID_SHAPE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The same length as the ids of the hosted service, so that they fit the same fields. */
const GENERATED_ID_LENGTH = 20;

export function prepareOrganisations({
  database,
  random,
  makeChange,
}: {
  readonly database: DatabaseSync;
  readonly random: RandomBytes | undefined;
  readonly makeChange: MakeChange;
}): OrganisationOperations {
  const insert = database.prepare(
    'INSERT INTO organisation (id, name, created) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const selectAll = database.prepare(
    'SELECT id, name, created FROM organisation ORDER BY created, id',
  );
  const selectId = database.prepare('SELECT id FROM organisation WHERE id = ?');

  return {
    createOrganisation({ name, id: wanted }, by) {
      const id = wanted ?? randomText({ alphabet: BASE32, length: GENERATED_ID_LENGTH, random });
      const checkedName = checkName(name, 'organisation');
      checkId(id);
      return makeChange(by, (created) => {
        const organisation: Organisation = { id, name: checkedName, created };
        if (insert.run(id, checkedName, created).changes === 0) throw idExists(id);
        const details = { name: checkedName };
        return {
          result: organisation,
          change: { action: 'organisation.create', organisationId: id, subject: id, details },
        };
      });
    },

    listOrganisations() {
      return selectAll.all().map(toOrganisation);
    },

    checkOrganisation(id) {
      if (selectId.get(id) !== undefined) return;
      const known = selectAll.all().map((row) => readText(row, 'id'));
      throw new ControlError(
        `Unknown organisation ${quoteInput(id)}.`,
        known.length === 0 ? 'There is none yet: create it first.' : nameHint(id, known),
        { reason: 'ORGANISATION_NOT_FOUND', pointer: '/organisationId' },
      );
    },
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

function toOrganisation(row: SqliteRow): Organisation {
  return {
    id: readText(row, 'id'),
    name: readText(row, 'name'),
    created: readInteger(row, 'created'),
  };
}
