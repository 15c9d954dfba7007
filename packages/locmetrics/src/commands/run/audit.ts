import { isCalendarDate } from '@locmetrics/core/dates/calendar-date';
import { dayMs } from '@locmetrics/core/domain/grant-days';
import { timeText, toAuditAnswer } from '@locmetrics/core/encoding/control-entries';
import type { Actor } from '@locmetrics/server/auth/actor';
import { parseDuration } from '@locmetrics/server/auth/duration';
import type { Run, Texts } from '../../cli/define-command.ts';
import { printList } from '../../cli/output.ts';
import { withStore } from '../../compose/open-data.ts';
import { ConfigError } from '../../config/config-error.ts';
import { readFlag } from './read-flag.ts';

const ENTRIES = '100';
const ENTRIES_MAX = 100_000;

export const printAuditAction: Run<Texts<'org' | 'since' | 'limit'>> = async (
  output,
  { org: organisationId, settings, since, limit = ENTRIES, json },
) => {
  const filter = {
    limit: readCount(limit),
    ...(organisationId === undefined ? {} : { organisationId }),
    ...(since === undefined ? {} : { since: readSince(since) }),
  };
  const entries = await withStore({ settings, output }, (store) => store.listAudit(filter));
  printList(output, {
    json,
    answer: { entries: entries.map(toAuditAnswer) },
    none: 'No changes are recorded.',
    columns: ['TIME', 'WHO', 'ACTION', 'ORGANISATION', 'SUBJECT', 'DETAILS'],
    rows: entries.map((entry) => [
      timeText(entry.time),
      actorText(entry.actor),
      entry.action,
      entry.organisationId || '-',
      entry.subject,
      JSON.stringify(entry.details, toReadable),
    ]),
  });
};

/** The members of details that are times, in ms since 1970. */
const TIMES: ReadonlySet<string> = new Set(['expires', 'starts', 'ends', 'suspended']);

function toReadable(name: string, value: unknown): unknown {
  return TIMES.has(name) && typeof value === 'number' ? timeText(value) : value;
}

function readCount(text: string): number {
  const count = /^[0-9]{1,6}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= ENTRIES_MAX) return count;
  throw new ConfigError(
    `--limit: '${text.slice(0, 100)}' is not a valid number of entries.`,
    `Write a whole number from 1 to ${ENTRIES_MAX}.`,
  );
}

/** A day (UTC), or how long ago. */
function readSince(text: string): number {
  return isCalendarDate(text)
    ? dayMs(text, '')
    : Date.now() - readFlag('--since', () => parseDuration(text));
}

function actorText(actor: Actor): string {
  switch (actor.kind) {
    case 'token':
      return `token ${actor.tokenId} of ${actor.organisationId}`;
    case 'command line':
      return `${actor.user} (command line)`;
    case 'sign-in link':
      return `sign-in link ${actor.linkId}`;
    case 'upgrade':
      return 'upgrade';
  }
}
