import type { FilterClause } from '@locmetrics/core/domain/filter';
import { getLayerStats } from '@locmetrics/server/service/features/get-layer-stats';
import { listRecordsStatistics } from '@locmetrics/server/service/list-records-statistics';
import { toPolygon } from './areas/test-polygon.ts';
import type { RowsQuestion, ServiceUnderTest } from './engines/service-under-test.ts';
import { toCall } from './engines/test-call.ts';

export type StatisticsQuestion = Omit<
  RowsQuestion,
  'pageSize' | 'pageToken' | 'asOf' | 'countOnly'
> & {
  readonly dataset: string;
};

export type LayerStatsQuestion = Omit<StatisticsQuestion, 'filterLogic'> & {
  readonly date: string;
  readonly dimensions?: readonly string[];
};

/** The rows of the counts of each date: date, records, places. */
export async function askStatistics(
  { context }: Pick<ServiceUnderTest, 'context'>,
  question: StatisticsQuestion,
): Promise<readonly (readonly [string, number, number])[]> {
  const filterLogic = question.filterLogic ?? '';
  const request = { ...toSelection(question), filterLogic };
  const found = await listRecordsStatistics(context(), request, toCall(question));
  return found.map(({ observationDate, totalRows, uniqueLocationIds }) => [
    observationDate,
    totalRows,
    uniqueLocationIds,
  ]);
}

/** The number of places on a date, then the count of each dimension. */
export async function askLayerStats(
  { context }: Pick<ServiceUnderTest, 'context'>,
  question: LayerStatsQuestion,
): Promise<readonly number[]> {
  const { date, dimensions = [] } = question;
  const request = { ...toSelection(question), observationDate: date, dimensions };
  const { locationCount, stats } = await getLayerStats(context(), request, toCall(question));
  return [locationCount, ...stats.map(({ distinctCount }) => distinctCount)];
}

function toSelection({
  dataset,
  filters = [],
  trim = 'trim',
  box,
  polygon,
  circle,
  orderBy,
}: StatisticsQuestion): {
  readonly dataReferenceName: string;
  readonly filters: readonly FilterClause[];
  readonly billingContext: string;
  readonly options: Parameters<typeof getLayerStats>[1]['options'];
} {
  return {
    dataReferenceName: dataset,
    filters,
    billingContext: '',
    options: {
      trimToPeriodOfExistence: trim,
      ...(box === undefined ? {} : { boundingBox: box }),
      ...(polygon === undefined ? {} : { polygon: toPolygon(polygon) }),
      ...(circle === undefined ? {} : { circle }),
      ...(orderBy === undefined ? {} : { orderBy }),
    },
  };
}
