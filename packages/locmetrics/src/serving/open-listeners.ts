import type { Socket } from 'node:net';
import { listen, type OpenPort } from '@locmetrics/server/edge/listening/listen';
import type { Config } from '../config/settings.ts';
import { flagOf, SETTINGS } from '../config/settings.ts';
import type { ListenerName } from '../processes/messages.ts';

/** The open ports. */
export type Listeners = {
  /** `host:port` as it is bound; undefined if it is off. */
  readonly addressOf: (listener: ListenerName) => string | undefined;
  readonly close: () => void;
};

const LISTENERS: readonly ListenerName[] = ['http', 'https', 'grpc', 'grpcPlaintext'];

/** Adds the flag of a setting to a system error, so that the message can say what to change. */
export async function atFlag<Result>(
  setting: { readonly name: string },
  open: () => Promise<Result>,
): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    throw error instanceof Error && 'syscall' in error
      ? Object.assign(error, { flag: flagOf(setting) })
      : error;
  }
}

/** Listens on all addresses of the settings, or on none. */
export async function openListeners(
  config: Config,
  take: (listener: ListenerName, socket: Socket) => void,
  onFailed: (error: Error) => void,
): Promise<Listeners> {
  const ports = new Map<ListenerName, OpenPort>();
  const close = (): void => {
    for (const port of ports.values()) port.close();
  };
  try {
    for (const listener of LISTENERS) {
      const address = config[listener];
      if (address === undefined) continue;
      ports.set(
        listener,
        await atFlag(SETTINGS[listener], () =>
          listen({ ...address, highWaterMark: 1 }, (socket) => take(listener, socket), onFailed),
        ),
      );
    }
  } catch (error) {
    close();
    throw error;
  }
  return { addressOf: (listener) => ports.get(listener)?.address, close };
}
