import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type { metricV1 } from '@locmetrics/contract/grpc';
import { placeId } from '../dataset/world.ts';
import { drawIndex } from '../seeded-random.ts';
import { ORGANISATION } from './organisation.ts';
import { expectSeries } from './series.ts';
import { CALL, METHOD } from './values-page.ts';
import type { Answer, Facts, RequestWorkload } from './workload.ts';

/** W1g: the request of W1 over gRPC, with few and with many calls in flight, in plaintext and over TLS. */
export const SERIES_OVER_GRPC: readonly RequestWorkload[] = [
  { id: 'W1g', inFlight: 8, overTls: false },
  { id: 'W1g32', inFlight: 32, overTls: false },
  { id: 'W1gTls', inFlight: 8, overTls: true },
  { id: 'W1g32Tls', inFlight: 32, overTls: true },
].map(({ id, inFlight, overTls }) => ({
  id,
  title: `series of one place over gRPC${overTls ? ' and TLS' : ''}, ${inFlight} in flight`,
  protocol: 'grpc',
  overTls,
  inFlight,
  shapes: new Map([
    [
      'ours',
      {
        system: 'ours',
        ask: (random, { world }) => {
          const place = placeId(drawIndex(random, world.places));
          return {
            request: {
              protocol: 'grpc',
              call: CALL,
              message: encodeRequest({ featureFilter: [place] }),
            },
            read: readMessage,
            expect: (dataset) => expectSeries(dataset, place),
          };
        },
      },
    ],
  ]),
}));

/** A request for values of the metric. */
export function encodeRequest(selection: MessageInitShape<typeof METHOD.input>): Uint8Array {
  return toBinary(
    METHOD.input,
    create(METHOD.input, {
      catalogId: 'bench',
      metricId: 'visits_monthly',
      billingContext: ORGANISATION,
      ...selection,
    }),
  );
}

/** The values of a page. */
export function readMessage({ body }: Answer): Facts {
  if (!(body instanceof Uint8Array)) throw new Error('The answer is no message.');
  const { values, totalSize } = fromBinary(METHOD.output, body);
  return {
    total: totalSize,
    series: values.map(({ observationPeriod, value, supportingValues }) => [
      readDate(observationPeriod?.start),
      readDate(observationPeriod?.end),
      ...[value, ...supportingValues].map(readNumber),
    ]),
    features: values.map(({ mapFeatureV2 }) => [
      mapFeatureV2?.featureId,
      mapFeatureV2?.name,
      mapFeatureV2?.addressComponents.map(({ component, value, shortName, displayName }) => [
        component,
        value,
        shortName,
        displayName,
      ]),
    ]),
  };
}

function readDate(date: { year: number; month: number; day: number } | undefined): string {
  return date === undefined
    ? ''
    : [date.year, date.month, date.day].map((part) => String(part).padStart(2, '0')).join('-');
}

/** The value of a 32-bit float is its shortest decimal. */
function readNumber(value: metricV1.MetricValue_Value | undefined): unknown {
  if (value?.value.case === 'count') return Number(value.value.value);
  if (value?.value.case === 'number') return Number(value.value.value.toPrecision(7));
  return undefined;
}
