import type { RequestWorkload, Shape } from './workload.ts';

/** The systems that are the service over ClickHouse; they have the same names in the results. */
const SYSTEMS = ['oursClickhouse', 'oursClickhouseWithRows', 'oursCluster'] as const;

/** The workload, of which the service over ClickHouse is asked the same as the embedded one. */
export function overClickhouseToo(workload: RequestWorkload): RequestWorkload {
  const { shapes } = workload;
  const ask = shapes.get('ours')?.ask;
  if (ask === undefined) throw new Error(`${workload.id} does not ask ours.`);
  const more = SYSTEMS.map((system): [string, Shape] => [system, { system, ask }]);
  return { ...workload, shapes: new Map([...shapes, ...more]) };
}
