import { catalogV3alpha } from '@locmetrics/contract/grpc';
import { encodeJson } from './json.ts';
import { encodeFramed } from './message-frame.ts';

/** The counts of one observation date of listRecordsStatistics. */
type DateCounts = {
  readonly observationDate: string;
  readonly totalRows: number;
  readonly uniqueLocationIds: number;
};

/** The answer of getLayerStats. */
type LayerCounts = {
  readonly locationCount: number;
  readonly stats: readonly { readonly name: string; readonly distinctCount: number }[];
};

export function encodeRecordsStatistics(statistics: readonly DateCounts[]): Buffer {
  return encodeJson({ statistics });
}

export function encodeRecordsStatisticsMessage(statistics: readonly DateCounts[]) {
  return {
    ...encodeFramed(catalogV3alpha.ListRecordsStatisticsResponseSchema, {
      statistics: statistics.map(({ observationDate, totalRows, uniqueLocationIds }) => ({
        observationDate,
        totalRows: BigInt(totalRows),
        uniqueLocationIds: BigInt(uniqueLocationIds),
      })),
    }),
    sentRows: statistics.length,
  };
}

export function encodeLayerStats({ locationCount, stats }: LayerCounts): Buffer {
  return encodeJson({ locationCount, stats });
}

export function encodeLayerStatsMessage({ locationCount, stats }: LayerCounts) {
  return {
    ...encodeFramed(catalogV3alpha.GetLayerStatsResponseSchema, {
      locationCount: BigInt(locationCount),
      stats: stats.map(({ name, distinctCount }) => ({
        name,
        distinctCount: BigInt(distinctCount),
      })),
    }),
    sentRows: 1,
  };
}
