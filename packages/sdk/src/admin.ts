import { ADMIN_OPERATIONS, type AdminOperations } from './generated/admin-operations.ts';
import { type AnyOperation, type CallOptions, createSend, type Parts, type Send } from './send.ts';

export {
  ConnectionError,
  LocmetricsError,
  ServiceError,
  UnexpectedAnswerError,
} from './errors.ts';
export type * from './generated/admin-schemas.ts';
export type { CallOptions } from './send.ts';

export type AdminClientOptions = {
  /** The URL of the service, such as `https://data.example.org`. */
  readonly url: string;
  /** A token of the scope `admin`. */
  readonly token: string;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /**
   * How often a GET request is sent again after a failed connection, a 503, or a 429 with a short `Retry-After`.
   * Default: 2. Any other request is sent once, because the first attempt may have made its change although no answer arrived.
   */
  readonly retries?: number | undefined;
};

/** A method for each operation of the admin interface, with the same name. It sends one request and returns its answer. */
export type AdminClient = {
  readonly [Id in keyof AdminOperations]: Nothing extends AdminRequest<Id>
    ? (request?: AdminRequest<Id>, options?: CallOptions) => Promise<AdminOperations[Id]['answer']>
    : (request: AdminRequest<Id>, options?: CallOptions) => Promise<AdminOperations[Id]['answer']>;
};

/** The ids of the path, the parameters of the query and the members of the body together. */
export type AdminRequest<Id extends keyof AdminOperations> = AdminOperations[Id]['path'] &
  Omit<AdminOperations[Id]['query'], 'format'> &
  (AdminOperations[Id]['body'] extends undefined ? Nothing : AdminOperations[Id]['body']);

/** A request without members. */
type Nothing = Readonly<Record<never, never>>;

export function createAdminClient({
  url,
  token,
  fetch: given,
  retries = 2,
}: AdminClientOptions): AdminClient {
  const send = createSend<AdminOperations>({
    table: ADMIN_OPERATIONS,
    onlyReads: (method) => method === 'GET',
    url,
    token,
    fetch: given ?? ((...request) => globalThis.fetch(...request)),
    retries,
  });
  // The keys are those of the table, and each call has the request of its operation.
  const calls: Readonly<Record<string, unknown>> = Object.fromEntries(
    Object.entries(ADMIN_OPERATIONS).map(([id, operation]) => [
      id,
      callOf(id as keyof AdminOperations, operation, send),
    ]),
  );
  return calls as AdminClient;
}

/** Members that the path names are written into it. The others are the query, or the body of POST and PUT. */
function callOf(
  id: keyof AdminOperations,
  [method, template]: readonly [method: string, path: string],
  send: Send<AdminOperations>,
): (request?: Readonly<Record<string, unknown>>, options?: CallOptions) => Promise<unknown> {
  const inPath = new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const hasBody = method === 'POST' || method === 'PUT';
  return (request = {}, options) => {
    const members = Object.entries(request);
    const path = Object.fromEntries(members.filter(([name]) => inPath.has(name)));
    const rest = Object.fromEntries(members.filter(([name]) => !inPath.has(name)));
    const parts: Parts<AnyOperation> = { path, ...(hasBody ? { body: rest } : { query: rest }) };
    // The type of the client says which members the operation has.
    return send(id, parts as Parts<AdminOperations[typeof id]>, options);
  };
}
