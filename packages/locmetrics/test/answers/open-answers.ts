import { request as sendHttp } from 'node:http';
import { gunzipSync } from 'node:zlib';
import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { catalogV1, catalogV3, mapsV1 } from '@locmetrics/contract/grpc';
import type { Asked } from './random-requests.ts';
import type { RunningService } from './start-service.ts';

const METHODS: Readonly<Record<string, DescMethodUnary>> = {
  ...catalogV1.QueryService.method,
  ...catalogV1.CatalogService.method,
  ...mapsV1.MapService.method,
  ...Object.fromEntries(
    Object.entries(catalogV3.CatalogQuery.method).map(([name, method]) => [`v3.${name}`, method]),
  ),
};
const REQUEST_ID = 'recorded';
/** More pages of an answer say nothing new. */
const PAGES_MAX = 3;

type Answer = {
  readonly status: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
};

export type Answers = {
  /** The pages of an answer as one line of JSON, without what differs in each run. */
  readonly answersOf: (organisation: string, asked: Asked) => Promise<string>;
  readonly close: () => void;
};

export function openAnswers({ url, grpcAddress, tokens }: RunningService): Answers {
  const client = new Client(grpcAddress, credentials.createInsecure());

  const answerOf = (organisation: string, asked: Asked, pageToken: string): Promise<Answer> => {
    const isAdmin = asked.kind === 'http' && asked.isAdmin === true;
    const authorization = `Bearer ${tokens.get(isAdmin ? 'admin' : organisation)}`;
    return asked.kind === 'grpc'
      ? callGrpc(client, asked, { organisation, authorization, pageToken })
      : callHttp(url, asked, { organisation, authorization, pageToken });
  };

  return {
    answersOf: async (organisation, asked) => {
      const pages: Answer[] = [];
      let pageToken = '';
      do {
        const answer = await answerOf(organisation, asked, pageToken);
        pages.push(answer);
        pageToken = tokenIn(answer.body);
      } while (pageToken !== '' && pages.length < PAGES_MAX);
      return withoutRun(JSON.stringify(pages));
    },
    close: () => client.close(),
  };
}

type Caller = Readonly<Record<'organisation' | 'authorization' | 'pageToken', string>>;

function callHttp(
  url: string,
  asked: Asked & { readonly kind: 'http' },
  { organisation, authorization, pageToken }: Caller,
): Promise<Answer> {
  const { method, body, headers } = asked;
  const path = asked.path.replace('billingContext=OWN', `billingContext=${organisation}`);
  const next = pageToken === '' || body !== undefined ? '' : `&pageToken=${pageToken}`;
  const content =
    typeof body === 'object' ? JSON.stringify(withCaller(body, organisation, pageToken)) : body;
  const sent: Record<string, string> = {
    authorization,
    'x-request-id': REQUEST_ID,
    ...(content === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  };
  if (sent['authorization'] === '') delete sent['authorization'];
  return new Promise((resolve, reject) => {
    const request = sendHttp(`${url}${path}${next}`, { method, headers: sent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const bytes = Buffer.concat(chunks);
        const isPacked = response.headers['content-encoding'] === 'gzip';
        const { 'content-length': length, ...others } = response.headers;
        resolve({
          status: String(response.statusCode),
          // The length of a compressed version name differs in each run.
          headers: isPacked ? others : { ...others, length },
          body: parsed((isPacked ? gunzipSync(bytes) : bytes).toString('utf8')),
        });
      });
    });
    request.once('error', reject);
    request.end(content);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function withCaller(body: object, organisation: string, pageToken: string): object {
  const own = Object.entries(body).map(([name, value]) => [
    name,
    value === 'OWN' ? organisation : value,
  ]);
  return { ...Object.fromEntries(own), ...(pageToken === '' ? {} : { pageToken }) };
}

function callGrpc(
  client: Client,
  { call, request }: Asked & { readonly kind: 'grpc' },
  { organisation, authorization, pageToken }: Caller,
): Promise<Answer> {
  const method = METHODS[call];
  if (method === undefined) throw new Error(`There is no call ${call}.`);
  // The type of the message is known at run time alone.
  const message = withCaller(request, organisation, pageToken) as MessageInitShape<DescMessage>;
  const bytes = toBinary(method.input, create(method.input, message));
  const metadata = new Metadata();
  metadata.set('authorization', authorization);
  metadata.set('x-request-id', REQUEST_ID);
  return new Promise((resolve) => {
    let headers: Readonly<Record<string, unknown>> = {};
    client
      .makeUnaryRequest(
        `/${method.parent.typeName}/${method.name}`,
        (given: Uint8Array) => Buffer.from(given),
        (answer: Buffer) => answer,
        bytes,
        metadata,
        (error, answer = Buffer.alloc(0)) => {
          if (error) {
            const { code, details, metadata: trailers } = error;
            const shown = Object.entries(trailers.getMap()).map(([name, value]) => [
              name,
              Buffer.isBuffer(value) ? value.toString('latin1') : value,
            ]);
            resolve({
              status: status[code] ?? String(code),
              headers: Object.fromEntries(shown),
              body: details,
            });
            return;
          }
          const body = toJson(method.output, fromBinary(method.output, answer));
          resolve({ status: 'OK', headers, body });
        },
      )
      .on('metadata', (given: Metadata) => {
        headers = given.getMap();
      });
  });
}

function tokenIn(body: unknown): string {
  if (typeof body !== 'object' || body === null) return '';
  const token: unknown = Reflect.get(body, 'nextPageToken');
  return typeof token === 'string' ? token : '';
}

/** Replaces the texts that differ in each run: versions, times, tokens, tags, and the ids of grants. */
function withoutRun(line: string): string {
  return line
    .replaceAll(/[0-9]{8}T[0-9]{9}Z-[0-9a-f]+/g, '<version>')
    .replaceAll(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/g, '<time>')
    .replaceAll(/"nextPageToken":"[^"]+"/g, '"nextPageToken":"<token>"')
    .replaceAll(/"(date|etag)":"(?:[^"\\]|\\.)*"/g, '"$1":"<$1>"')
    .replaceAll(/"(grantId|tokenId)":"[^"]+"/g, '"$1":"<$1>"')
    .replaceAll(/"yourLens":\{"id":"[^"]+"/g, '"yourLens":{"id":"<grantId>"');
}
