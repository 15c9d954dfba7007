import type { AuditEntry } from '@locmetrics/client/admin';
import { formatDay } from '../../format/dates.ts';
import { countOf } from '../../format/numbers.ts';
import { patternWords } from './grant-words.ts';

/** An entry of the audit log as a sentence. `nameOf` gives the name of an organisation or a token. */
export function auditSentence(entry: AuditEntry, nameOf: (id: string) => string): string {
  return `${eventWords(entry, nameOf)} by ${actorWords(entry.actor, nameOf)}.`;
}

function eventWords(entry: AuditEntry, nameOf: (id: string) => string): string {
  const { action, subject, details } = entry;
  const text = (name: string): string => String(details[name] ?? '');
  const organisation = nameOf(entry.organisationId);
  const token = `The token ${text('name')} (${subject}) of ${organisation}`;
  switch (action) {
    case 'organisation.create':
      return `The organisation ${text('name')} (${subject}) was created`;
    case 'organisation.suspend':
      return `The organisation ${text('name')} (${subject}) was suspended`;
    case 'organisation.resume':
      return `The organisation ${text('name')} (${subject}) was resumed`;
    case 'token.create':
      return `${token} was created with the scopes ${listOf(details['scopes'])}${endWords(details)}`;
    case 'token.rotate':
      return `${token} was created by a rotation, to replace another token${endWords(details)},`;
    case 'token.revoke':
      return `${token} was revoked`;
    case 'sign_in_link.create':
      return `A one-time sign-in link for ${organisation} was created`;
    case 'grant.add':
      return `${organisation} was granted ${patternWords(text('pattern'))}${grantWords(details)},`;
    case 'grant.replace':
      return `The grant ${subject} of ${organisation} was replaced: ${patternWords(text('pattern'))}${grantWords(details)},`;
    case 'grant.remove':
      return `${organisation} lost the grant of ${patternWords(text('pattern'))}${grantWords(details)},`;
    case 'limits.set':
      return `The limits of ${organisation} were set to ${limitWords(details)}`;
    case 'version.publish':
      return `A version of ${subject} was published (${text('version')})`;
    case 'version.rollback':
      return `${subject} was switched back to ${text('version')}${beforeWords(details)}`;
    case 'version.withdraw':
      return `A version of ${subject} was withdrawn`;
    case 'dataset.remove':
      return `The dataset ${subject} was removed`;
    case 'secret.rotate':
      return 'The key that signs links to the files of exports was replaced';
    default:
      return `${action} of ${subject} was done`;
  }
}

/** The author of a change, in words. */
function actorWords(actor: AuditEntry['actor'], nameOf: (id: string) => string): string {
  switch (actor['kind']) {
    case 'token':
      return `the token ${nameOf(actor['tokenId'] ?? '')} of ${nameOf(actor['organisationId'] ?? '')}`;
    case 'command line':
      return `the command line (user ${actor['user'] ?? 'unknown'})`;
    case 'upgrade':
      return 'an upgrade of the service';
    default:
      return String(actor['kind']);
  }
}

function endWords(details: AuditEntry['details']): string {
  const end = details['expires'];
  if (typeof end !== 'number') return '';
  return `, until ${formatDay(new Date(end).toISOString().slice(0, 10))}`;
}

function grantWords(details: AuditEntry['details']): string {
  const { filters, fields } = details;
  const parts = [
    ...(Array.isArray(filters) && filters.length > 0 ? [countOf(filters.length, 'filter')] : []),
    ...(Array.isArray(fields) ? [countOf(fields.length, 'field')] : []),
  ];
  return parts.length === 0 ? '' : `, with ${parts.join(' and ')}`;
}

const LIMITS: Readonly<Record<string, string>> = {
  requestsPerSecond: 'requests a second',
  burst: 'requests at once',
  rowsPerDay: 'rows in a day',
  viewedRowsPerDay: 'rows to look at in a day',
  rowsPerMonth: 'rows in a month',
  concurrentQueries: 'requests answered together',
};

function limitWords(details: AuditEntry['details']): string {
  const set = Object.entries(LIMITS).flatMap(([name, words]) => {
    const limit = details[name];
    return typeof limit === 'number' ? [`${limit.toLocaleString('en-US')} ${words}`] : [];
  });
  return set.length === 0 ? 'none' : set.join(', ');
}

function beforeWords(details: AuditEntry['details']): string {
  const { before } = details;
  return typeof before === 'string' ? ` from ${before}` : '';
}

function listOf(given: unknown): string {
  return Array.isArray(given) ? given.join(', ') : 'none';
}
