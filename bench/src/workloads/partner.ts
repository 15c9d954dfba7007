import { COMPONENTS } from '../dataset/manifest.ts';

/** An organisation that sees a part of the data. */
export const PARTNER = {
  id: 'partner',
  /** It sees the places of these states, about half of them: New York, California, Illinois, Texas, Pennsylvania. */
  states: ['36', '06', '17', '48', '42'],
  /** And of these the records that match, which all do: its answers are as long as those of others. */
  records: 'visits > 0',
} as const;

/** The components and the value that it does not see. */
export const PARTNER_HIDDEN: ReadonlySet<string> = new Set([
  'street_address',
  'brand',
  'median_duration',
]);

/** The values and components that it sees. */
export const PARTNER_FIELDS: readonly string[] = [
  'visit_count',
  'visitor_count',
  'median_duration',
  ...COMPONENTS,
].filter((name) => !PARTNER_HIDDEN.has(name));

/** The condition in SQL of a place that it sees. */
export const PARTNER_PLACES = `us_state_2020 IN (${PARTNER.states.map((state) => `'${state}'`).join(', ')})`;
