import type { StopSignal } from '../domain/stop.ts';
import { writeNamedValuePosition } from '../plan/plan-named-values.ts';
import type { NamedValuesPlan } from '../plan/read-plan.ts';
import type { Engine, NamedValue } from '../storage/engine.ts';
import { finishPage, type PageEnd, type PageStart } from './page-steps.ts';

/** The common part of searches for component values and for dimension values. */
export async function readNamedValues(
  engine: Engine,
  plan: NamedValuesPlan,
  page: { readonly start: PageStart; readonly version: string },
  signal: StopSignal,
): Promise<PageEnd & { readonly values: readonly NamedValue[] }> {
  const found = await engine.run(plan, signal);
  const { values } = found;
  const { kind, after, limit, ...selection } = plan;
  const end = await finishPage(page.start, {
    version: page.version,
    found,
    rowCount: values.length,
    writePosition: writeNamedValuePosition,
    count: () => engine.run({ kind: 'named_values_count', ...selection }, signal),
  });
  return { ...end, values };
}
