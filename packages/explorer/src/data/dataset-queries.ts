import type { DataReference } from '@locmetrics/client';
import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';

/** The datasets that the caller may see. */
export function datasetsQuery({ client }: Pick<Session, 'client'>) {
  return queryOptions({
    queryKey: ['datasets'],
    queryFn: ({ signal }): Promise<readonly DataReference[]> =>
      client.listDataReferences({ signal }),
  });
}

/** A dataset with its fields. */
export function datasetQuery({ client }: Pick<Session, 'client'>, dataset: string) {
  return queryOptions({
    queryKey: ['dataset', dataset],
    queryFn: ({ signal }): Promise<DataReference> => client.getDataReference(dataset, { signal }),
  });
}
