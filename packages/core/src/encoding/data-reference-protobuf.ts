import { create } from '@bufbuild/protobuf';
import { catalogV3 } from '@locmetrics/contract/grpc';
import type { CountedVersion } from '../domain/version.ts';
import {
  BOX_EXAMPLE,
  CIRCLE_EXAMPLE,
  NEAR_EXAMPLE,
  orderExample,
  POLYGON_EXAMPLE,
  toDataReference,
} from './data-reference.ts';

/** A dataset as the catalog interface shows it, as a message: its examples of options are messages. */
export function toDataReferenceMessage(version: CountedVersion): catalogV3.DataReference {
  const { options, rowCount, ...reference } = toDataReference(version);
  const { boundingBox, trimToPeriodOfExistence, orderBy, polygon, circle, near } = options;
  const { fieldName } = orderExample(version.dataset);
  return create(catalogV3.DataReferenceSchema, {
    ...reference,
    rowCount: BigInt(rowCount),
    options: {
      boundingBox: { ...boundingBox, exampleValue: BOX_EXAMPLE },
      trimToPeriodOfExistence: {
        ...trimToPeriodOfExistence,
        exampleValue: catalogV3.TrimToPeriodOfExistence.TRIM,
      },
      orderBy: {
        ...orderBy,
        exampleValue: { fieldName, direction: catalogV3.OrderDirection.DESC },
      },
      polygon: { ...polygon, exampleValue: POLYGON_EXAMPLE },
      circle: { ...circle, exampleValue: CIRCLE_EXAMPLE },
      near: { ...near, exampleValue: NEAR_EXAMPLE },
    },
  });
}
