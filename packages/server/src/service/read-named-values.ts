import type { PageToken } from '../domain/page-token.ts';
import { writeNamedValuePosition } from '../plan/plan-named-values.ts';
import type { NamedValuesPlan } from '../plan/read-plan.ts';
import type { NamedValue } from '../storage/engine.ts';
import { type NextPageToken, type PageRequest, readPage } from './read-page.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** The common part of searches for component values and for dimension values. */
export function readNamedValues<Pinned extends { readonly version: string }>(
  context: ServiceContext,
  call: Call,
  page: PageRequest<Pinned>,
  toPlan: (
    pinned: Pinned,
    token: PageToken | undefined,
    signal: AbortSignal,
  ) => NamedValuesPlan | Promise<NamedValuesPlan>,
): Promise<{
  readonly values: readonly NamedValue[];
  readonly totalSize: number;
  readonly nextPageToken: NextPageToken;
}> {
  const { engine } = context;
  return readPage(context, call, page, async ({ pinned, token, nextPageToken }, signal) => {
    const plan = await toPlan(pinned, token, signal);
    const { values, hasMore, positionAt } = await engine.run(plan, signal);
    const { kind, after, limit, ...selection } = plan;
    const count = () => engine.run({ kind: 'named_values_count', ...selection }, signal);
    const totalSize = token?.totalSize ?? (hasMore ? await count() : values.length);
    return {
      values,
      totalSize,
      nextPageToken: nextPageToken({
        totalSize,
        rowCount: values.length,
        hasMore,
        positionAt: (index) => writeNamedValuePosition(positionAt(index)),
      }),
    };
  });
}
