import { setTimeout as passTime } from 'node:timers/promises';
import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptor,
  status as STATUS_CODES,
} from '@grpc/grpc-js';
import { authenticate } from '../../auth/authenticate.ts';
import { checkScope } from '../../auth/check-scope.ts';
import type { ControlStore } from '../../auth/control-store.ts';
import { LateAbort } from '../../domain/late-abort.ts';
import type { Scope } from '../../domain/scope.ts';
import { type ErrorCode, type ErrorReason, ServiceError } from '../../domain/service-error.ts';
import { failureOf } from '../../observe/failure-of.ts';
import type { Observe } from '../../observe/observation.ts';
import { requestCompleted } from '../../observe/request-completed.ts';
import { readRequestId } from '../../observe/request-id.ts';
import { type BeginTrace, NO_TRACE, runInSpan } from '../../observe/trace.ts';
import { readUserAgent } from '../../observe/user-agent.ts';
import type { AnswerLimit } from '../../service/answer-limit.ts';
import type { LookFirst } from '../../service/look-once-per-turn.ts';
import type { Meter } from '../../service/meter.ts';
import { observeError } from '../../service/observe-error.ts';
import type { AnswerCut, TakingLimits } from '../../service/unsent-answer.ts';
import type { Peer } from '../listening/open-connections.ts';
import { type CallState, setState } from './call-state.ts';
import { checkMessageFlag } from './check-message-flag.ts';
import { cutSlowCall } from './cut-slow-calls.ts';
import { type GrpcLimits, METADATA_LIMITS } from './grpc-limits.ts';
import { toServiceError } from './to-service-error.ts';
import { REQUEST_ID_KEY, toStatus } from './to-status.ts';

/** Watchers of the health get the last status before their stream ends. */
const STREAM_GRACE_MS = 100;

export type CallWatcher = {
  readonly intercept: ServerInterceptor;
  /** Ends the streaming calls, which would otherwise last as long as the caller wants. */
  readonly endStreams: () => Promise<void>;
};

/**
 * Intercepts every call: refuses it without a token, notices when the caller goes away or the deadline
 * passes, and observes its end.
 */
export function watchCalls(options: {
  readonly observe: Observe;
  readonly beginTrace: BeginTrace;
  readonly store: Pick<ControlStore, 'findCaller'>;
  readonly lookFirst: LookFirst;
  /** Whether the call of this path needs no token. */
  readonly isPublic: (path: string) => boolean;
  /** The scope that a token needs for the call of this path; undefined if any token will do. */
  readonly scopeOf: (path: string) => Scope | undefined;
  readonly meter: Pick<Meter, 'headers'>;
  readonly answers: AnswerLimit;
  readonly limits: GrpcLimits;
  readonly taking: TakingLimits;
  /** Called with the connection of each call whose token was accepted. */
  readonly onAccepted: (peer: Peer) => void;
}): CallWatcher {
  const { observe, beginTrace, store, lookFirst, isPublic, scopeOf } = options;
  const { meter, answers, limits, taking } = options;
  const endsOfStreams = new Set<() => void>();

  const intercept: ServerInterceptor = ({ path, requestStream, responseStream }, call) => {
    const isStream = requestStream || responseStream;
    const began = performance.now();
    const { remoteAddress: clientAddress } = call.getConnectionInfo();
    let isEnded = false;
    let cut: AnswerCut | undefined;
    let userAgent: string | undefined;
    let reason: ErrorReason | undefined;
    observe({ kind: 'request_began', protocol: 'grpc', method: 'POST' });

    const state: CallState = {
      requestId: '',
      gone: new LateAbort(),
      trace: NO_TRACE,
      fail: (error) => {
        reason ??= error.reason;
        const requestId = requestIdOf(state);
        // After the end of a call only a fault of the service is worth observing.
        if (!isEnded || error.reason === 'INTERNAL') observeError(observe, error, requestId);
        const status = toStatus(error, requestId);
        const { caller } = state;
        for (const [name, value] of caller === undefined ? [] : meter.headers(caller)) {
          status.metadata?.set(name, value);
        }
        return status;
      },
    };

    const end = (code: 'OK' | ErrorCode): void => {
      if (isEnded) return;
      isEnded = true;
      clearTimeout(arrival);
      endsOfStreams.delete(stop);
      state.trace.end({ 'rpc.response.status_code': code }, failureOf(code));
      observe(
        requestCompleted({
          ...state,
          requestId: requestIdOf(state),
          method: 'POST',
          route: path,
          status: code,
          durationMs: performance.now() - began,
          clientAddress,
          cut,
          userAgent,
          reason: code === 'OK' ? undefined : reason,
        }),
      );
    };
    const refuse = (error: ServiceError): void => {
      if (!isEnded) call.sendStatus(state.fail(error));
    };
    const stop = (): void =>
      refuse(
        new ServiceError('NOT_READY', 'The service is stopping.', {
          hint: 'Connect again after a second.',
        }),
      );
    const arrival = setTimeout(
      () =>
        refuse(
          new ServiceError('REQUEST_TIMEOUT', 'The whole request did not arrive in time.', {
            hint: 'Send it again, without waiting between its parts.',
          }),
        ),
      limits.requestTimeoutMs,
    );

    // grpc-js also ends calls by itself, without telling interceptors: a message too large, a deadline. It
    // calls this method, which is therefore replaced.
    const send = call.sendStatus.bind(call);
    call.sendStatus = (status) => {
      if (isEnded) return;
      const error = toServiceError(status, limits);
      const sent = error === undefined ? status : state.fail(error);
      end(codeName(sent.code ?? STATUS_CODES.UNKNOWN));
      send(sent);
      // If the call ended before its answer was ready, its query is stopped.
      if (sent.code !== STATUS_CODES.OK) state.gone.abort(error);
    };

    const leave = (): void => {
      if (isEnded) return;
      const error = new ServiceError(
        'CANCELLED',
        'The caller cancelled before the answer was ready.',
      );
      state.fail(error);
      end(error.code);
      state.gone.abort(error);
    };
    const onCut = (reason: AnswerCut): void => {
      cut = reason;
      leave();
    };
    checkMessageFlag(call);
    cutSlowCall(call, { answers, limits: taking, onCut });

    return new ServerInterceptingCall(call, {
      start: (next) => {
        if (isStream) {
          clearTimeout(arrival);
          endsOfStreams.add(stop);
        }
        next({
          onReceiveMetadata: (metadata, deliver) => {
            const requestId = readRequestId(textOf(metadata, REQUEST_ID_KEY));
            userAgent = readUserAgent(textOf(metadata, 'user-agent'));
            state.requestId = requestId;
            // Health checks are not part of a trace.
            state.trace = isPublic(path)
              ? NO_TRACE
              : beginTrace({
                  name: path.slice(1),
                  facts: {
                    'rpc.system.name': 'grpc',
                    'rpc.method': path.slice(1),
                    'locmetrics.request_id': requestId,
                  },
                  traceparent: textOf(metadata, 'traceparent'),
                  tracestate: textOf(metadata, 'tracestate'),
                });
            const admit = (): void => {
              if (isEnded) return;
              try {
                const caller = runInSpan(state.trace, 'auth', () =>
                  authenticate(authorizationOf(metadata), store),
                );
                state.caller = caller;
                options.onAccepted(call.getConnectionInfo());
                const scope = scopeOf(path);
                if (scope !== undefined) checkScope(caller, scope);
              } catch (error) {
                refuse(ServiceError.from(error));
                return;
              }
              accept();
            };
            const accept = (): void => {
              setState(metadata, state);
              deliver(metadata);
            };
            if (!isSmall(metadata)) refuse(metadataTooLarge());
            else if (isPublic(path)) accept();
            else lookFirst(admit);
          },
          onReceiveHalfClose: (deliver) => {
            clearTimeout(arrival);
            deliver();
          },
          onCancel: leave,
        });
      },
    });
  };

  return {
    intercept,
    endStreams: async () => {
      if (endsOfStreams.size > 0) await passTime(STREAM_GRACE_MS);
      for (const stop of endsOfStreams) stop();
    },
  };
}

/** A call that ends before its metadata have arrived gets a new one. */
function requestIdOf(state: CallState): string {
  if (state.requestId === '') state.requestId = readRequestId(undefined);
  return state.requestId;
}

function textOf(metadata: Metadata, key: string): string | undefined {
  const [value] = metadata.get(key);
  return typeof value === 'string' ? value : undefined;
}

/** The HTTP header. If it is sent twice, the joined text is not a token. */
function authorizationOf(metadata: Metadata): string | undefined {
  const values = metadata.get('authorization');
  return values.length === 0 ? undefined : values.join(', ');
}

function isSmall(metadata: Metadata): boolean {
  let bytes = 0;
  for (const [key, values] of Object.entries(metadata.toHttp2Headers())) {
    for (const value of [values].flat()) bytes += key.length + String(value).length;
  }
  return bytes <= METADATA_LIMITS.maxBytes;
}

function metadataTooLarge(): ServiceError {
  return new ServiceError('HEADERS_TOO_LARGE', 'The metadata of the call are too large.', {
    hint: 'Send at most 16 KiB of them; long filters go into the message.',
  });
}

/** The name of a status code. Codes that this service does not use count as INTERNAL. */
function codeName(code: number): 'OK' | ErrorCode {
  return NAMES.get(code) ?? 'INTERNAL';
}

const NAMES: ReadonlyMap<number, 'OK' | ErrorCode> = new Map(
  (
    [
      'OK',
      'CANCELLED',
      'INVALID_ARGUMENT',
      'DEADLINE_EXCEEDED',
      'NOT_FOUND',
      'ALREADY_EXISTS',
      'PERMISSION_DENIED',
      'RESOURCE_EXHAUSTED',
      'FAILED_PRECONDITION',
      'UNIMPLEMENTED',
      'INTERNAL',
      'UNAVAILABLE',
      'UNAUTHENTICATED',
    ] as const
  ).map((name) => [STATUS_CODES[name], name]),
);
