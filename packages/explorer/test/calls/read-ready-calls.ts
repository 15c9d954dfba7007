import type { DataReference, Metric } from '@locmetrics/client';
import { datasetCalls } from '../../src/calls/dataset-calls.ts';
import { metricCalls } from '../../src/calls/metric-calls.ts';
import type { ReadyCall } from '../../src/calls/ready-call.ts';
import type { Service } from './read-answer.ts';
import type { SampleCall } from './sample-calls.ts';

/** The calls that the pages of all datasets and of all measures of metrics offer to start with. */
export async function readReadyCalls(service: Service): Promise<readonly SampleCall[]> {
  const { dataReferences }: { readonly dataReferences: readonly DataReference[] } = await ask(
    service,
    '/v3/catalog/listDataReferences',
    {},
  );
  const { catalogsList }: { readonly catalogsList: readonly { readonly id: string }[] } = await ask(
    service,
    '/v1/catalogs',
  );
  const metrics = await Promise.all(
    catalogsList.map(({ id }) => ask(service, `/v1/catalogs/${id}/metrics?billingContext=demo`)),
  );
  const described: readonly { readonly metric: Metric }[] = await Promise.all(
    metrics
      .flatMap(({ metricsList }) => metricsList)
      .map(({ catalogId, id }) =>
        ask(service, `/v1/catalogs/${catalogId}/metrics/${id}?billingContext=demo`),
      ),
  );
  return [
    ...dataReferences.flatMap((one) => named(one.name, datasetCalls(one))),
    ...described.flatMap(({ metric }) =>
      metric.spec.valuesList.flatMap((measure) =>
        named(`${metric.catalogId}/${metric.id} ${measure.name}`, metricCalls(metric, measure)),
      ),
    ),
  ];
}

function named(of: string, calls: readonly ReadyCall[]): readonly SampleCall[] {
  return calls.map(({ title, call }) => ({ name: `${of}: ${title}`, call }));
}

async function ask({ url, token }: Service, path: string, body?: object) {
  const answer = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return await answer.json();
}
