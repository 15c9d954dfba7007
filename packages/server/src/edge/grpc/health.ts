import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { healthV1 } from '@locmetrics/contract/grpc';
import { frameMessage } from '@locmetrics/core/encoding/message-frame';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { NO_MESSAGE, notOneMessage, SECOND_MESSAGE } from './message-reader.ts';
import { readMessage } from './read-message.ts';
import { callsOf, type MessageSink, type MessageSource, type ServedCalls } from './served-call.ts';

/** How often the health is compared with what watchers were last sent. */
const POLL_EVERY_MS = 1000;

const ServingStatus = healthV1.HealthCheckResponse_ServingStatus;
const { check, list, watch } = healthV1.Health.method;

export type Health = {
  /** Calls about the health need no token: load balancers send them. */
  readonly calls: ServedCalls;
  /** Reports NOT_SERVING from now on. */
  readonly stop: () => void;
};

/** The health of the server (under the empty name) and of each service; all have the same health. */
export function openHealth({
  services,
  isReady,
}: {
  readonly services: readonly string[];
  readonly isReady: () => boolean;
}): Health {
  const names = ['', ...services];
  const watchers = new Set<() => void>();
  let isServing = isReady();
  const report = (now: boolean): void => {
    if (now === isServing) return;
    isServing = now;
    for (const tell of watchers) tell();
  };
  const timer = setInterval(() => report(isReady()), POLL_EVERY_MS);
  timer.unref();
  const answer = (): MessageInitShape<typeof check.output> => ({
    status: isServing ? ServingStatus.SERVING : ServingStatus.NOT_SERVING,
  });
  const watchHealth = (to: MessageSink): MessageSource => {
    let tell: (() => void) | undefined;
    return {
      receive: (message: Uint8Array) => {
        if (tell !== undefined) throw notOneMessage(SECOND_MESSAGE);
        const { service } = readMessage(watch.input, message);
        const status = { status: ServingStatus.SERVICE_UNKNOWN };
        tell = (): void => {
          const known = names.includes(service) ? answer() : status;
          to.send(toBinary(watch.output, create(watch.output, known)));
        };
        watchers.add(tell);
        tell();
      },
      receiveEnd: () => {
        if (tell === undefined) throw notOneMessage(NO_MESSAGE);
      },
      close: () => {
        if (tell !== undefined) watchers.delete(tell);
      },
    };
  };
  const isPublic = { isPublic: true, scope: undefined };
  return {
    calls: callsOf(healthV1.Health, {
      [check.name]: {
        ...isPublic,
        kind: 'unary',
        answer: async (request) => {
          const { service } = readMessage(check.input, request);
          if (!names.includes(service)) throw unknownService(service, services);
          return frameMessage(toBinary(check.output, create(check.output, answer())));
        },
      },
      [list.name]: {
        ...isPublic,
        kind: 'unary',
        answer: async (request) => {
          readMessage(list.input, request);
          const statuses = Object.fromEntries(names.map((name) => [name, answer()]));
          return frameMessage(toBinary(list.output, create(list.output, { statuses })));
        },
      },
      [watch.name]: { ...isPublic, kind: 'streaming', open: watchHealth },
    }),
    stop: () => {
      clearInterval(timer);
      report(false);
    },
  };
}

function unknownService(name: string, services: readonly string[]): ServiceError {
  return new ServiceError('ROUTE_NOT_FOUND', 'The server has no such service.', {
    hint: nameHint(name, services),
  });
}
