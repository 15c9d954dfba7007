/**
 * Looking at data, as the explorer does: its rows are counted apart from the limits of an organisation, up to a limit that
 * the operator sets. Any caller can say that it looks, so that limit is what protects the data.
 */

/** No id of an organisation, and no name of an operation, has a colon. */
const MARK = ':view';

/** The operation as usage records it. */
export function viewedOperation(operation: string): string {
  return `${operation}${MARK}`;
}

/** The account of the limits that counts what an organisation looks at. */
export function viewingAccount(organisationId: string): string {
  return `${organisationId}${MARK}`;
}

/** What an account counts: the organisation, and the SQL for its operations. */
export function usageOfAccount(account: string): {
  readonly organisationId: string;
  readonly operations: string;
} {
  return account.endsWith(MARK)
    ? { organisationId: account.slice(0, -MARK.length), operations: `operation LIKE '%${MARK}'` }
    : { organisationId: account, operations: `operation NOT LIKE '%${MARK}'` };
}
