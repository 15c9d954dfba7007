import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../../session/session.ts';

/** The metrics that the administrator may see, as patterns name them; none without the scope `metrics`. */
export function metricNamesQuery({ client, caller }: Pick<Session, 'client' | 'caller'>) {
  return queryOptions({
    queryKey: ['metric-names'],
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      const names: string[] = [];
      for (const { id: catalogId } of await client.listCatalogs({ signal })) {
        for await (const { id } of client.metrics({ catalogId }, { signal })) {
          names.push(`${catalogId}/${id}`);
        }
      }
      return names;
    },
    enabled: caller.scopes.includes('metrics'),
  });
}
