/** The usage of one answered request, or of a piece of an answer that is sent in pieces. */
export type UsageRecord = {
  /** When it was answered, in ms since 1970. */
  readonly time: number;
  readonly organisationId: string;
  readonly tokenId: string;
  /** The operation in lowerCamelCase, on either interface: `listRecords`, `searchMetricValues`. */
  readonly operation: string;
  /** See `resourceOf`. */
  readonly resource: string;
  /** Records, metric values, distinct values or features in the answer. */
  readonly rows: number;
  /** Bytes of the answer before it is compressed. */
  readonly bytes: number;
  readonly requestId: string;
  /** Whether an earlier record has the request already: only the first piece counts as a request. */
  readonly isContinued?: true | undefined;
};

/**
 * The resource of a request: `product.dataset`, `catalog/metric`, `catalog/layer` or `catalog`; empty if
 * the request names none of them.
 */
export function resourceOf(request: object): string {
  const textOf = (name: string): string | undefined => {
    const value: unknown = Reflect.get(request, name);
    return typeof value === 'string' ? value : undefined;
  };
  const dataset = textOf('dataReferenceName');
  if (dataset !== undefined) return dataset;
  const catalogId = textOf('catalogId') ?? '';
  const part = textOf('metricId') ?? textOf('layerId');
  return part === undefined ? catalogId : `${catalogId}/${part}`;
}
