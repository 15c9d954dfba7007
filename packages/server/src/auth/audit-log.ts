import {
  readInteger,
  readJson,
  readText,
  type SqliteRow,
} from '@locmetrics/data-directory/sqlite/sqlite-row';
import type { Actor } from './actor.ts';
import type { AuditAction, Change } from './make-change.ts';
import type { StoreParts } from './store-parts.ts';

export type AuditEntry = Change & {
  /** Grows with each entry. */
  readonly entryId: number;
  readonly time: number;
  readonly actor: Actor;
};

export type AuditOperations = {
  /** The entries, newest first. */
  listAudit(filter: {
    readonly organisationId?: string;
    /** In ms since 1970: changes from this time on. */
    readonly since?: number;
    /** Entries older than this one. */
    readonly before?: number;
    readonly limit: number;
  }): readonly AuditEntry[];
};

export function prepareAudit({ database, organisations }: StoreParts): AuditOperations {
  const select = database.prepare(
    `SELECT id, time, actor, action, organisation, subject, details FROM audit
     WHERE organisation = ifnull(:organisation, organisation) AND time >= :since AND id < :before
     ORDER BY id DESC LIMIT :limit`,
  );
  return {
    listAudit({ organisationId, since = 0, before = Number.MAX_SAFE_INTEGER, limit }) {
      if (organisationId !== undefined) organisations.checkOrganisation(organisationId);
      const organisation = organisationId ?? null;
      return select.all({ organisation, since, before, limit }).map(toEntry);
    },
  };
}

function toEntry(row: SqliteRow): AuditEntry {
  return {
    entryId: readInteger(row, 'id'),
    time: readInteger(row, 'time'),
    // Only `prepareChanges` and the migrations write these columns, and triggers prevent changes.
    actor: readJson(row, 'actor') as Actor,
    action: readText(row, 'action') as AuditAction,
    organisationId: readText(row, 'organisation'),
    subject: readText(row, 'subject'),
    details: readJson(row, 'details') as AuditEntry['details'],
  };
}
