import type { Server } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';

/** How often the health is compared with what watchers were last sent. */
const LOOK_EVERY_MS = 1000;

const PATH_START = '/grpc.health.v1.Health/';

export type Health = {
  /** Reports NOT_SERVING from now on. */
  readonly stop: () => void;
};

/** Calls about the health need no token: load balancers send them. */
export function isHealthCall(path: string): boolean {
  return path.startsWith(PATH_START);
}

/** Serves the health of the server (under the empty name) and of each service; all have the same health. */
export function serveHealth(
  server: Server,
  { services, isReady }: { readonly services: readonly string[]; readonly isReady: () => boolean },
): Health {
  const names = ['', ...services];
  const health = new HealthImplementation();
  let known: boolean | undefined;
  const report = (isServing: boolean): void => {
    if (isServing === known) return;
    known = isServing;
    for (const name of names) health.setStatus(name, isServing ? 'SERVING' : 'NOT_SERVING');
  };
  const look = (): void => report(isReady());
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  health.addToServer(server);
  return {
    stop: () => {
      clearInterval(timer);
      report(false);
    },
  };
}
