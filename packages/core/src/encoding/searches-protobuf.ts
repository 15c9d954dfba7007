import { create, toBinary } from '@bufbuild/protobuf';
import { catalogV1, metricV1 } from '@locmetrics/contract/grpc';
import type { AddressComponentValue, Feature } from '../domain/feature.ts';
import type { DimensionValue } from '../domain/metric-value.ts';
import { encodeBoundedPage, writeEach } from './bounded-page.ts';
import { encodeComponentValue, encodeFeatureMessage } from './feature-protobuf.ts';
import { capTotalSize } from './page-members.ts';

/** A page from the service; the token of the next page depends on the number of sent rows. */
type Page = {
  readonly totalSize: number;
  readonly nextPageToken: (sentRows: number) => string;
};

/** The framed bytes of a SearchLayerFeaturesResponse, and how many of the features are in it. */
export function encodeLayerFeaturesMessage(
  page: Page & { readonly features: readonly Feature[]; readonly queryScores: readonly number[] },
) {
  const response = catalogV1.SearchLayerFeaturesResponseSchema;
  return encodeBoundedPage({
    rows: writeEach(page.features, encodeFeatureMessage),
    rowField: response.field.features.number,
    encodeRest: (sentRows) =>
      toBinary(
        response,
        create(response, {
          queryScores: page.queryScores.slice(0, sentRows),
          ...pageMembers(page, sentRows),
        }),
      ),
  });
}

/** The framed bytes of a QueryLayerResponse, and how many of the features are in it. */
export function encodeQueryLayerMessage(page: Page & { readonly features: readonly Feature[] }) {
  const response = catalogV1.QueryLayerResponseSchema;
  return encodeBoundedPage({
    rows: writeEach(page.features, encodeFeatureMessage),
    rowField: response.field.features.number,
    encodeRest: (sentRows) => toBinary(response, create(response, pageMembers(page, sentRows))),
  });
}

/** The framed bytes of a SearchAddressComponentValuesResponse, and how many of the values are in it. */
export function encodeComponentValuesMessage(
  page: Page & { readonly values: readonly AddressComponentValue[] },
) {
  const response = catalogV1.SearchAddressComponentValuesResponseSchema;
  return encodeBoundedPage({
    rows: writeEach(page.values, encodeComponentValue),
    rowField: response.field.addressComponentValues.number,
    encodeRest: (sentRows) => toBinary(response, create(response, pageMembers(page, sentRows))),
  });
}

/** The framed bytes of a SearchDimensionValuesResponse, and how many of the values are in it. */
export function encodeDimensionValuesMessage(
  page: Page & { readonly values: readonly DimensionValue[] },
) {
  const response = catalogV1.SearchDimensionValuesResponseSchema;
  return encodeBoundedPage({
    rows: writeEach(page.values, (value) =>
      toBinary(metricV1.DimensionValueSchema, create(metricV1.DimensionValueSchema, value)),
    ),
    rowField: response.field.dimensionValues.number,
    encodeRest: (sentRows) => toBinary(response, create(response, pageMembers(page, sentRows))),
  });
}

function pageMembers({ totalSize, nextPageToken }: Page, sentRows: number) {
  return { totalSize: capTotalSize(totalSize), nextPageToken: nextPageToken(sentRows) };
}
