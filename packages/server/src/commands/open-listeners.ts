import type { Socket } from 'node:net';
import type { Config } from '../config/settings.ts';
import { flagOf, SETTINGS } from '../config/settings.ts';
import { listen, type OpenPort } from '../edge/listening/listen.ts';
import type { ListenerName } from '../processes/messages.ts';

/** The ports that are listened on. */
export type Listeners = {
  /** `host:port` as it is bound; undefined where it is off. */
  readonly addressOf: (listener: ListenerName) => string | undefined;
  readonly close: () => void;
};

const LISTENERS: readonly ListenerName[] = ['http', 'https', 'grpc', 'grpcPlaintext'];

/**
 * Listens everywhere that the settings say. An error of the system is marked with the flag, so that
 * the message can say which address to change; nothing listens then.
 */
export async function openListeners(
  config: Config,
  take: (listener: ListenerName, socket: Socket) => void,
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
        await listen(address, (socket) => take(listener, socket)).catch((error: Error) => {
          throw Object.assign(error, { flag: flagOf(SETTINGS[listener]) });
        }),
      );
    }
  } catch (error) {
    close();
    throw error;
  }
  return { addressOf: (listener) => ports.get(listener)?.address, close };
}
