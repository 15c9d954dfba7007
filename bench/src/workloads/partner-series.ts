import type { DatasetReader } from '../dataset/dataset-reader.ts';
import { PLACE_ID_DIGITS, placeId } from '../dataset/world.ts';
import { drawIndex } from '../seeded-random.ts';
import { PARTNER, PARTNER_HIDDEN, PARTNER_PLACES } from './partner.ts';
import { seriesShapes, VALUES_PATH } from './series.ts';
import type { RequestWorkload } from './workload.ts';

/** W1rights: W1, asked by an organisation that sees some of the places and not all fields. */
export const PARTNER_SERIES: RequestWorkload = {
  id: 'W1rights',
  title: 'series of one place, with filters on rows and hidden fields',
  protocol: 'http',
  shapes: seriesShapes({
    draw: (random, { partnerPlaces }) => {
      const index = partnerPlaces?.[drawIndex(random, partnerPlaces.length)];
      if (index === undefined) throw new Error('The partner sees no place.');
      return placeId(index);
    },
    path: `${VALUES_PATH}?billingContext=${PARTNER.id}`,
    file: 'visits',
    table: 'partner_visits',
    sameShape: 'partner_series',
    hidden: PARTNER_HIDDEN,
    systems: { ours: 'oursForPartner', postgrest: 'postgrestForPartner' },
  }),
};

/** The indexes of the places that the partner sees. */
export async function findPartnerPlaces(dataset: DatasetReader): Promise<Uint32Array> {
  const rows = await dataset.rows(
    `SELECT right(location_id, ${PLACE_ID_DIGITS})::INTEGER FROM places WHERE ${PARTNER_PLACES} ORDER BY 1`,
  );
  return Uint32Array.from(rows, ([index]) => Number(index));
}
