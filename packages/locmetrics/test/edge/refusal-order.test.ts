import { connect } from 'node:http2';
import { create, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { beforeAll, describe, expect, test } from 'vitest';
import { SHOPS } from './shops.ts';
import { useTestServer } from './test-server.ts';
import { sendRaw } from './transport/raw-request.ts';

/*
 * A request with two faults is refused for the one that an earlier step finds. Each edge has its own order, because gRPC
 * reads the message before it asks for the limits.
 */

const BODY_MAX_BYTES = 5000;

const LIMITS: Readonly<Record<string, OrganisationLimits>> = {
  spent: { requestsPerSecond: 1e-6, burst: 1 },
  small: { rowsPerDay: 1 },
};

const { data, post, url, grpcAddress, log } = useTestServer((to) => to.publishFiles(SHOPS), {
  hosts: ['known.example'],
  limits: { bodyMaxBytes: BODY_MAX_BYTES },
  grpcLimits: { messageMaxBytes: BODY_MAX_BYTES },
  limitsOf: (organisationId) => LIMITS[organisationId] ?? {},
});

beforeAll(async () => {
  const { store } = data();
  for (const id of Object.keys(LIMITS)) {
    store.createOrganisation({ id, name: id });
    store.addGrant(id, wholeGrant('', '*'));
  }
  // The only request that `spent` may send for days.
  await post('listDataReferences', {}, { authorization: bearer(ANY) });
});

/** The organisation and scopes of a token. */
type TokenOf = { readonly organisationId: string; readonly scopes: readonly string[] };

const ANY: TokenOf = { organisationId: 'spent', scopes: ['catalog'] };

function bearer(token: TokenOf): string {
  return `Bearer ${data().store.createToken({ ...token, name: 'x' }).tokenText}`;
}

/** The pairs of the names of a list, each in its order. */
function pairsOf(
  causes: Readonly<Record<string, unknown>>,
): readonly (readonly [earlier: string, later: string])[] {
  const names = Object.keys(causes);
  return names.flatMap((earlier, index) =>
    names.slice(index + 1).map((later) => [earlier, later] as const),
  );
}

describe('over HTTP', () => {
  type Sent = {
    readonly host: string;
    readonly token: TokenOf | undefined;
    readonly query: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly members: Readonly<Record<string, unknown>>;
    readonly after: string;
  };

  const VALID: Sent = {
    host: 'known.example',
    token: { organisationId: 'acme', scopes: ['catalog'] },
    query: '',
    headers: { 'content-type': 'application/json' },
    members: { dataReferenceName: 'shop.stores' },
    after: '',
  };

  const withHeader =
    (name: string, value: string) =>
    (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, [name]: value } });
  const withMember =
    (name: string, value: unknown) =>
    (sent: Sent): Sent => ({ ...sent, members: { ...sent.members, [name]: value } });
  const withToken =
    (changed: Partial<TokenOf>) =>
    (sent: Sent): Sent => ({ ...sent, token: sent.token && { ...sent.token, ...changed } });

  /** In the order of the steps. */
  const CAUSES: Readonly<
    Record<string, { readonly reason: string; readonly cause: (sent: Sent) => Sent }>
  > = {
    'a foreign host': {
      reason: 'HOST_NOT_ALLOWED',
      cause: (sent) => ({ ...sent, host: 'other.example' }),
    },
    'no token': { reason: 'TOKEN_MISSING', cause: (sent) => ({ ...sent, token: undefined }) },
    'a missing scope': { reason: 'SCOPE_MISSING', cause: withToken({ scopes: ['usage'] }) },
    'no requests left': {
      reason: 'LIMIT_EXCEEDED',
      cause: withToken({ organisationId: 'spent' }),
    },
    'an unacceptable answer': {
      reason: 'NOT_ACCEPTABLE',
      cause: withHeader('accept', 'text/html'),
    },
    'a coded body': {
      reason: 'UNSUPPORTED_MEDIA_TYPE',
      cause: withHeader('content-encoding', 'gzip'),
    },
    'no acceptable coding': {
      reason: 'NOT_ACCEPTABLE',
      cause: withHeader('accept-encoding', 'identity;q=0'),
    },
    'a body of another media type': {
      reason: 'UNSUPPORTED_MEDIA_TYPE',
      cause: withHeader('content-type', 'text/plain'),
    },
    'a body that is too large': {
      reason: 'BODY_TOO_LARGE',
      cause: (sent) => ({ ...sent, after: `${sent.after}${' '.repeat(BODY_MAX_BYTES)}` }),
    },
    'a body that is not JSON': {
      reason: 'MALFORMED_JSON',
      cause: (sent) => ({ ...sent, after: `}${sent.after}` }),
    },
    'parameters in the address': {
      reason: 'UNKNOWN_REQUEST_FIELD',
      cause: (sent) => ({ ...sent, query: '?a=1' }),
    },
    'an unknown member': {
      reason: 'UNKNOWN_REQUEST_FIELD',
      cause: withMember('unknownMember', 1),
    },
    'a foreign billing context': {
      reason: 'BILLING_CONTEXT_DENIED',
      cause: withMember('billingContext', 'other'),
    },
    'a forged page token': {
      reason: 'INVALID_PAGE_TOKEN',
      cause: withMember('pageToken', 'forged'),
    },
    'an unknown dataset': {
      reason: 'DATA_REFERENCE_NOT_FOUND',
      cause: withMember('dataReferenceName', 'shop.none'),
    },
    'an unknown field': { reason: 'UNKNOWN_FIELD', cause: withMember('fields', ['citty']) },
    'more rows than are left': {
      reason: 'LIMIT_EXCEEDED',
      cause: withToken({ organisationId: 'small' }),
    },
  };

  async function refusalOf(...names: readonly string[]): Promise<unknown> {
    // The later cause first, so that the earlier one is not changed by it.
    const { host, token, query, headers, members, after } = names.reduceRight(
      (sent, name) => CAUSES[name]?.cause(sent) ?? sent,
      VALID,
    );
    const body = `${JSON.stringify(members)}${after}`;
    const lines = [
      `POST /v3/catalog/listRecords${query} HTTP/1.1`,
      `host: ${host}`,
      ...(token === undefined ? [] : [`authorization: ${bearer(token)}`]),
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `content-length: ${body.length}`,
      'connection: close',
    ];
    const answer = await sendRaw(url(), `${lines.join('\r\n')}\r\n\r\n${body}`);
    return JSON.parse(answer.slice(answer.indexOf('{'))).reason;
  }

  test.each(Object.entries(CAUSES))('%s is refused', async (name, { reason }) => {
    expect(await refusalOf(name)).toBe(reason);
  });

  test.each(pairsOf(CAUSES))('%s is refused before %s', async (earlier, later) => {
    expect(await refusalOf(earlier, later)).toBe(CAUSES[earlier]?.reason);
  });
});

describe('over gRPC', () => {
  const { listRecords } = catalogV3.CatalogQuery.method;

  type Sent = {
    readonly path: string;
    readonly token: TokenOf | undefined;
    readonly headers: Readonly<Record<string, string>>;
    readonly fields: {
      readonly dataReferenceName?: string;
      readonly billingContext?: string;
      readonly pageToken?: string;
      readonly fields?: { readonly name: string }[];
    };
    /** Bytes after the fields. */
    readonly after: readonly Uint8Array[];
    readonly flag: number;
    /** Bytes after the message. */
    readonly rest: Uint8Array;
  };

  const VALID: Sent = {
    path: '/unacast.catalog.v3.CatalogQuery/ListRecords',
    token: { organisationId: 'acme', scopes: ['catalog'] },
    headers: { 'content-type': 'application/grpc' },
    fields: { dataReferenceName: 'shop.stores' },
    after: [],
    flag: 0,
    rest: new Uint8Array(),
  };

  const withHeader =
    (name: string, value: string) =>
    (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, [name]: value } });
  const withFields =
    (fields: Sent['fields']) =>
    (sent: Sent): Sent => ({ ...sent, fields: { ...sent.fields, ...fields } });
  const withBytes =
    (bytes: Uint8Array) =>
    (sent: Sent): Sent => ({ ...sent, after: [bytes, ...sent.after] });
  const withToken =
    (changed: Partial<TokenOf>) =>
    (sent: Sent): Sent => ({ ...sent, token: sent.token && { ...sent.token, ...changed } });

  /** In the order of the steps. */
  const CAUSES: Readonly<
    Record<string, { readonly reason: string; readonly cause: (sent: Sent) => Sent }>
  > = {
    'another content type': {
      reason: 'UNSUPPORTED_MEDIA_TYPE',
      cause: withHeader('content-type', 'text/plain'),
    },
    'an unknown call': {
      reason: 'UNKNOWN_CALL',
      cause: (sent) => ({ ...sent, path: '/unacast.catalog.v3.CatalogQuery/None' }),
    },
    'a malformed timeout': {
      reason: 'INVALID_REQUEST',
      cause: withHeader('grpc-timeout', 'soon'),
    },
    'an unsupported coding': {
      reason: 'UNSUPPORTED_COMPRESSION',
      cause: withHeader('grpc-encoding', 'snappy'),
    },
    'too much metadata': {
      reason: 'HEADERS_TOO_LARGE',
      cause: withHeader('x-much', 'x'.repeat(20_000)),
    },
    'no token': { reason: 'TOKEN_MISSING', cause: (sent) => ({ ...sent, token: undefined }) },
    'a missing scope': { reason: 'SCOPE_MISSING', cause: withToken({ scopes: ['usage'] }) },
    'a message that is too large': {
      reason: 'BODY_TOO_LARGE',
      cause: withBytes(new Uint8Array(BODY_MAX_BYTES)),
    },
    'half a second message': {
      reason: 'MALFORMED_MESSAGE',
      cause: (sent) => ({ ...sent, rest: new Uint8Array(2) }),
    },
    'a compressed message without a coding': {
      reason: 'COMPRESSION_NOT_NAMED',
      cause: (sent) => ({ ...sent, flag: 1 }),
    },
    'no requests left': {
      reason: 'LIMIT_EXCEEDED',
      cause: withToken({ organisationId: 'spent' }),
    },
    'a malformed message': {
      reason: 'MALFORMED_MESSAGE',
      cause: withBytes(Uint8Array.of(0xff)),
    },
    'an unknown field of the message': {
      reason: 'UNKNOWN_REQUEST_FIELD',
      cause: withBytes(new BinaryWriter().tag(99, WireType.Varint).uint32(1).finish()),
    },
    'too many fields': {
      reason: 'INVALID_REQUEST',
      cause: withFields({ fields: Array.from({ length: 1001 }, () => ({ name: '' })) }),
    },
    'a foreign billing context': {
      reason: 'BILLING_CONTEXT_DENIED',
      cause: withFields({ billingContext: 'other' }),
    },
    'a forged page token': {
      reason: 'INVALID_PAGE_TOKEN',
      cause: withFields({ pageToken: 'forged' }),
    },
    'an unknown dataset': {
      reason: 'DATA_REFERENCE_NOT_FOUND',
      cause: withFields({ dataReferenceName: 'shop.none' }),
    },
    'an unknown field': {
      reason: 'UNKNOWN_FIELD',
      cause: withFields({ fields: [{ name: 'citty' }] }),
    },
    'more rows than are left': {
      reason: 'LIMIT_EXCEEDED',
      cause: withToken({ organisationId: 'small' }),
    },
  };

  async function refusalOf(...names: readonly string[]): Promise<unknown> {
    const { path, token, headers, fields, after, flag, rest } = names.reduceRight(
      (sent, name) => CAUSES[name]?.cause(sent) ?? sent,
      VALID,
    );
    const message = Buffer.concat([
      toBinary(listRecords.input, create(listRecords.input, fields)),
      ...after,
    ]);
    const head = Buffer.alloc(5);
    head.writeUInt8(flag, 0);
    head.writeUInt32BE(message.length, 1);
    const requestId = names.join('_').replaceAll(' ', '-');
    const session = connect(`http://${grpcAddress()}`, { maxSendHeaderBlockLength: 2 ** 24 });
    try {
      const stream = session.request({
        ':method': 'POST',
        ':path': path,
        te: 'trailers',
        'x-request-id': requestId,
        ...(token === undefined ? {} : { authorization: bearer(token) }),
        ...headers,
      });
      const closed = Promise.withResolvers<void>();
      stream.on('error', closed.reject);
      stream.on('close', () => closed.resolve());
      stream.end(Buffer.concat([head, message, rest]));
      stream.resume();
      await closed.promise;
    } finally {
      session.destroy();
    }
    return log().find((line) => line['requestId'] === requestId && 'reason' in line)?.['reason'];
  }

  test.each(Object.entries(CAUSES))('%s is refused', async (name, { reason }) => {
    expect(await refusalOf(name)).toBe(reason);
  });

  test.each(pairsOf(CAUSES))('%s is refused before %s', async (earlier, later) => {
    expect(await refusalOf(earlier, later)).toBe(CAUSES[earlier]?.reason);
  });
});
