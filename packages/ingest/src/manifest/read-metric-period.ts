import { isCalendarDate } from '@locmetrics/core/dates/calendar-date';
import type { Metric, PeriodDay } from '@locmetrics/core/domain/metric';
import { EXPECTED_VALUES } from '@locmetrics/core/domain/value';
import { expectField, type FieldScope } from './expect-field.ts';
import type { Report } from './manifest-report.ts';
import type { DatasetDocument } from './manifest-schema.ts';
import type { MetricDocument } from './metric-schema.ts';

/** The period of the values: the metric's own, or else the dataset's; undefined without either. */
export function readMetricPeriod({
  declared,
  dataset,
  scope,
  report,
}: {
  readonly declared: MetricDocument;
  readonly dataset: DatasetDocument;
  readonly scope: FieldScope;
  readonly report: Report;
}): Metric['period'] | undefined {
  if (declared.period === undefined) {
    if (dataset.period !== undefined) {
      return { start: { field: dataset.period.start }, end: { field: dataset.period.end } };
    }
    report.at('dataset')(
      `The dataset ${declared.dataset} declares no period.`,
      'Declare one there, or a period with start and end in the metric.',
    );
    return undefined;
  }
  const reportPeriod = report.at('period');
  const start = readPeriodDay(declared.period.start, scope, reportPeriod.at('start'));
  const end = readPeriodDay(declared.period.end, scope, reportPeriod.at('end'));
  if ('day' in start && 'day' in end && start.day > end.day) {
    reportPeriod(`The start ${start.day} is after the end ${end.day}.`);
  }
  return { start, end };
}

/** Field names start with a letter, so a text that starts with a digit is a day. */
function readPeriodDay(text: string, scope: FieldScope, report: Report): PeriodDay {
  if (!/^[0-9]/.test(text)) {
    expectField(scope, text, { types: ['date'], report });
    return { field: text };
  }
  if (!isCalendarDate(text)) report(`'${text}' is not ${EXPECTED_VALUES.date}.`);
  return { day: text };
}
