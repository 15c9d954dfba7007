import type { Server } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';

/** How often who watches the health is told what changed. */
const LOOK_EVERY_MS = 1000;

const PATH_START = '/grpc.health.v1.Health/';

export type Health = {
  /** Says from now on that the service cannot serve. */
  readonly stop: () => void;
};

/** Calls about the health need no token: who asks them is a load balancer. */
export function isHealthCall(path: string): boolean {
  return path.startsWith(PATH_START);
}

/** Serves the health of the whole (the service of the empty name) and of each service, which are one. */
export function serveHealth(
  server: Server,
  { services, isReady }: { readonly services: readonly string[]; readonly isReady: () => boolean },
): Health {
  const names = ['', ...services];
  const health = new HealthImplementation();
  let known: boolean | undefined;
  const tell = (isServing: boolean): void => {
    if (isServing === known) return;
    known = isServing;
    for (const name of names) health.setStatus(name, isServing ? 'SERVING' : 'NOT_SERVING');
  };
  const look = (): void => tell(isReady());
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  health.addToServer(server);
  return {
    stop: () => {
      clearInterval(timer);
      tell(false);
    },
  };
}
