import type { Metric, MetricValuesRequest } from '@locmetrics/client';
import { useState } from 'react';
import { valuesCostQuery } from '../../data/cost-queries.ts';
import type { ReadValues } from '../../data/metric-queries.ts';
import type { MetricView } from '../../data/metric-view.ts';
import { countOf } from '../../format/numbers.ts';
import { useSession } from '../../session/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { SaveDialog } from '../saving/save-dialog.tsx';
import { VALUE_FORMATS } from '../saving/save-formats.ts';
import { toRequest } from './to-request.ts';
import type { Place } from './to-time-chart.ts';
import { valueRow } from './value-row.ts';

/** Its rows are enough to estimate a size. */
const SAMPLE_ROWS = 200;

/** Saves the values of the view, of the places of the chart or of all that its filters leave, as rows. */
export function SaveValues({
  metric,
  view,
  places,
  answer: { values, version },
}: {
  readonly metric: Metric;
  readonly view: MetricView;
  readonly places: readonly Place[];
  readonly answer: ReadValues;
}) {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setOf] = useState<'chart' | 'all'>('chart');
  const of = places.length === 0 ? 'all' : chosen;
  // The values themselves, whatever the chart compares them with.
  const { featureFilter, ...ofAll } = toRequest(
    metric,
    places.map(({ id }) => id),
    { ...view, compare: undefined },
  );
  const request: MetricValuesRequest = {
    ...ofAll,
    ...(of === 'all' ? {} : { featureFilter }),
    asOf: version,
  };
  const isFiltered = (view.components ?? []).length > 0;
  return (
    <>
      <Button size="small" onPress={() => setOpen(true)}>
        Save values…
      </Button>
      {isOpen && (
        <SaveDialog
          title={`Save values of ${metric.listing || metric.id}`}
          result={{
            noun: 'value',
            name: metric.id,
            formats: VALUE_FORMATS,
            sample: values.slice(0, SAMPLE_ROWS).map((value) => valueRow(value, metric)),
            download: (format, signal) =>
              session.client
                .streamMetricValues({ ...request, trackTotalHits: true }, { signal })
                .download(format),
          }}
          cost={valuesCostQuery(session, request)}
          onClose={() => setOpen(false)}
        >
          {places.length > 0 && (
            <Select
              label="Places"
              choices={[
                { value: 'chart', label: `The ${countOf(places.length, 'place')} of the chart` },
                {
                  value: 'all',
                  label: isFiltered ? 'All places that the filters leave' : 'All places',
                },
              ]}
              value={of}
              onChange={setOf}
            />
          )}
        </SaveDialog>
      )}
    </>
  );
}
