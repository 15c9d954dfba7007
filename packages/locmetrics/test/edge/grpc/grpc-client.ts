import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import {
  type ChannelCredentials,
  Client,
  type ClientOptions,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { rpc } from '@locmetrics/contract/grpc';
import { REQUEST_ID } from '../test-server.ts';

export type GrpcRequestOptions = {
  /** An empty `authorization` omits the header. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
};

export type GrpcAnswer<Message> = {
  readonly message: Message;
  readonly bytes: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly trailers: Readonly<Record<string, unknown>>;
};

/** The refusal of a call, as one value for a snapshot. */
export type GrpcRefusal = {
  readonly code: string;
  readonly message: string;
  readonly requestId: unknown;
  readonly reason?: string;
  readonly domain?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly violations?: readonly string[];
  readonly retryDelaySeconds?: number;
  /** The exceeded limits. */
  readonly quotas?: readonly string[];
};

/** The remaining limits of the caller, in metadata or trailers. */
export function limitsIn(metadata: Readonly<Record<string, unknown>> | undefined) {
  return Object.fromEntries(
    Object.entries(metadata ?? {}).filter(([name]) => /^(ratelimit|locmetrics-rows)/.test(name)),
  );
}

export type GrpcTestClient = {
  /** The answer to a call. Bytes are sent unchanged. */
  readonly ask: <Input extends DescMessage, Output extends DescMessage>(
    method: DescMethodUnary<Input, Output>,
    request: MessageInitShape<Input> | Uint8Array,
    options?: GrpcRequestOptions,
  ) => Promise<GrpcAnswer<MessageShape<Output>>>;
  /** The refusal of a call. Fails if the call succeeds. */
  readonly refusal: <Input extends DescMessage, Output extends DescMessage>(
    method: DescMethodUnary<Input, Output>,
    request: MessageInitShape<Input> | Uint8Array,
    options?: GrpcRequestOptions,
  ) => Promise<GrpcRefusal>;
  readonly close: () => void;
};

/** An ordinary client, with its default limits. */
export function openGrpcClient(
  address: string,
  {
    token,
    channel = credentials.createInsecure(),
    options = {},
  }: {
    readonly token: string;
    readonly channel?: ChannelCredentials;
    readonly options?: ClientOptions;
  },
): GrpcTestClient {
  const client = new Client(address, channel, { 'grpc.use_local_subchannel_pool': 1, ...options });
  const ask: GrpcTestClient['ask'] = (method, request, { metadata, deadlineMs, signal } = {}) =>
    new Promise((resolve, reject) => {
      const bytes =
        request instanceof Uint8Array
          ? request
          : toBinary(method.input, create(method.input, request));
      const sent = { authorization: `Bearer ${token}`, 'x-request-id': REQUEST_ID, ...metadata };
      let received: Readonly<Record<string, unknown>> = {};
      let answered = new Uint8Array();
      const call = client.makeUnaryRequest(
        `/${method.parent.typeName}/${method.name}`,
        (given: Uint8Array) => Buffer.from(given),
        (answer: Buffer) => answer,
        bytes,
        toMetadata(sent),
        deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs },
        (error, answer = Buffer.alloc(0)) => {
          if (error) reject(error);
          else answered = new Uint8Array(answer);
        },
      );
      call.on('metadata', (given: Metadata) => {
        received = given.getMap();
      });
      // It comes last, after an error too.
      call.on('status', ({ code, metadata: trailers }) => {
        if (code !== status.OK) return;
        resolve({
          message: fromBinary(method.output, answered),
          bytes: answered.length,
          metadata: received,
          trailers: trailers.getMap(),
        });
      });
      signal?.addEventListener('abort', () => call.cancel(), { once: true });
    });
  return {
    ask,
    refusal: (method, request, given) =>
      ask(method, request, given).then(
        () => {
          throw new Error('The call was answered.');
        },
        (error: ServiceError) => readRefusal(error),
      ),
    close: () => client.close(),
  };
}

function toMetadata(values: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(values)) if (value !== '') metadata.set(key, value);
  return metadata;
}

function readRefusal(error: ServiceError): GrpcRefusal {
  if (error.metadata === undefined) throw error;
  const [requestId] = error.metadata.get('x-request-id');
  const refusal = { code: status[error.code] ?? 'none', message: error.details, requestId };
  const [details] = error.metadata.get('grpc-status-details-bin');
  if (!(details instanceof Buffer)) return refusal;
  const decoded = fromBinary(rpc.StatusSchema, details);
  const unpacked = decoded.details.map(
    (any) =>
      anyUnpack(any, rpc.ErrorInfoSchema) ??
      anyUnpack(any, rpc.BadRequestSchema) ??
      anyUnpack(any, rpc.QuotaFailureSchema) ??
      anyUnpack(any, rpc.RetryInfoSchema),
  );
  // Libraries reject details that contradict the status.
  if (decoded.code !== error.code || decoded.message !== error.details) {
    throw new Error('The details contradict the status.');
  }
  return Object.assign(refusal, ...unpacked.map(readDetail));
}

function readDetail(
  detail: rpc.ErrorInfo | rpc.BadRequest | rpc.QuotaFailure | rpc.RetryInfo | undefined,
): Partial<GrpcRefusal> {
  switch (detail?.$typeName) {
    case 'google.rpc.ErrorInfo': {
      const { reason, domain, metadata } = detail;
      return { reason, domain, metadata };
    }
    case 'google.rpc.BadRequest':
      return {
        violations: detail.fieldViolations.map(
          ({ field, description }) => `${field}: ${description}`,
        ),
      };
    case 'google.rpc.QuotaFailure':
      return {
        quotas: detail.violations.map(({ subject, description }) => `${subject}: ${description}`),
      };
    case 'google.rpc.RetryInfo':
      return { retryDelaySeconds: Number(detail.retryDelay?.seconds) };
    default:
      throw new Error('A detail is of an unknown type.');
  }
}
