import type {
  DataReference,
  FilterClause,
  ListRecordsResponse,
  TileJson,
} from '@locmetrics/client';
import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';
import type { Box } from './box.ts';
import { type Selection, toBoundingBox } from './selection.ts';

/** The description of the tiles of the selected records, and the filters that selected them. */
export type DescribedTiles = {
  readonly description: TileJson;
  readonly filters: readonly FilterClause[] | undefined;
};

/** The bounds of the selected records, the fields of the key, and where cells end. */
export function tilesQuery(
  { client }: Pick<Session, 'client'>,
  dataset: string,
  filters: readonly FilterClause[] | undefined,
) {
  return queryOptions({
    queryKey: ['tiles', dataset, filters],
    queryFn: async ({ signal }): Promise<DescribedTiles> => {
      const request = {
        dataReferenceName: dataset,
        filters: filters === undefined ? undefined : JSON.stringify(filters),
      };
      return { description: await client.describeTiles(request, { signal }), filters };
    },
  });
}

/** The exact number of records of a selection. It costs no rows. */
export function countQuery(
  { client }: Pick<Session, 'client'>,
  dataset: string,
  { filters, box }: Selection,
) {
  return queryOptions({
    queryKey: ['count', dataset, filters, box],
    queryFn: async ({ signal }): Promise<number> => {
      const request = {
        dataReferenceName: dataset,
        filters,
        options: { boundingBox: toBoundingBox({ box }) },
        countOnly: true,
      };
      return (await client.listRecords(request, { signal })).totalSize;
    },
  });
}

/** The number of records that the map shows; nothing is asked until its place is known. */
export function countInViewQuery(
  session: Pick<Session, 'client'>,
  dataset: string,
  { filters, view }: { readonly filters: Selection['filters']; readonly view: Box | undefined },
) {
  return {
    ...countQuery(session, dataset, { filters, box: view }),
    enabled: view !== undefined,
  };
}

/** The values of a key by the names of its fields. */
export type Key = Readonly<Record<string, string | number | boolean>>;

/** A record with all fields that the caller may see. */
export function recordQuery(
  { client }: Pick<Session, 'client'>,
  { name, fields }: Pick<DataReference, 'name' | 'fields'>,
  key: Key,
) {
  return queryOptions({
    queryKey: ['record', name, key],
    queryFn: async ({ signal }): Promise<ListRecordsResponse> =>
      client.listRecords(
        {
          dataReferenceName: name,
          filters: Object.entries(key).map(([fieldName, value]) => ({
            fieldName,
            operator: '==',
            value,
          })),
          fields: fields.map((field) => field.name),
          pageSize: 1,
          typedValues: true,
        },
        { signal },
      ),
  });
}
