import { SERIES } from './series.ts';
import type { RequestWorkload, Shape } from './workload.ts';

/** W1gzip: W1, compressed. PostgREST does not compress; nginx in front of it does. */
export const COMPRESSED_SERIES: RequestWorkload = {
  ...SERIES,
  id: 'W1gzip',
  title: 'series of one place, compressed by gzip',
  shapes: new Map([...SERIES.shapes].map(([name, shape]) => [name, compressed(shape)])),
};

function compressed({ system, ask }: Shape): Shape {
  return {
    system: system === 'postgrest' ? 'postgrestBehindNginx' : system,
    ask: (random, context) => {
      const { request, read, expect } = ask(random, context);
      return {
        request: { ...request, headers: { 'accept-encoding': 'gzip' } },
        read: (answer) => ({ ...read(answer), compression: answer.contentEncoding }),
        expect: async (dataset) => ({ ...(await expect(dataset)), compression: 'gzip' }),
      };
    },
  };
}
