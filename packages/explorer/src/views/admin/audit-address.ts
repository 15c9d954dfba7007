import { damaged } from '../../data/selection.ts';

/** Which entries of the audit log a view shows. */
export type AuditAddress = {
  readonly organisation?: string;
  /** The first day, YYYY-MM-DD in UTC. */
  readonly since?: string;
};

export function readAuditAddress(query: Readonly<Record<string, unknown>>): AuditAddress {
  const { organisation, since } = query;
  return {
    ...(organisation === undefined ? {} : { organisation: String(organisation) }),
    ...(since === undefined ? {} : { since: readDay(since) }),
  };
}

function readDay(given: unknown): string {
  if (typeof given === 'string' && /^\d{4}-\d\d-\d\d$/.test(given)) return given;
  throw damaged('since', given, 'a day, YYYY-MM-DD');
}
