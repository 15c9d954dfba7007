import fc from 'fast-check';

const some = <Item>(...items: readonly Item[]) =>
  fc.subarray([...items], { minLength: 1, maxLength: items.length });

const ofStores = fc.record(
  {
    pattern: fc.constantFrom('shop.stores', 'shop.*'),
    filters: fc.constantFrom(
      [{ fieldName: 'is_open', operator: '==', value: 'true' }],
      [{ fieldName: 'city', operator: 'is_not_empty' }],
      [{ fieldName: 'count', operator: '>=', value: '0' }],
    ),
    fields: some('store_id', 'city', 'count', 'rating', 'is_open', 'latitude', 'longitude').map(
      (fields) => ['store_id', ...fields.filter((name) => name !== 'store_id')],
    ),
  },
  { requiredKeys: ['pattern'] },
);
/** A filter or field must be known in every dataset of the pattern. */
const ofStoresAlone = ofStores.map((grant) =>
  Object.keys(grant).length > 1 ? { ...grant, pattern: 'shop.stores' } : grant,
);
const ofParks = fc.record(
  {
    pattern: fc.constantFrom('park.parks', 'park.visits', 'park.*'),
    from: fc.constant('2024-01-01'),
    until: fc.constant('2099-12-31'),
  },
  { requiredKeys: ['pattern'] },
);
const ofVisits = fc.record(
  {
    pattern: fc.constant('park/visits'),
    observationPeriodFilter: fc.constantFrom(
      { start: '2024-01-01', end: '2024-01-31' },
      { start: '2024-02-01' },
    ),
    addressComponentFilter: fc.constant([{ component: 'state', values: ['23'] }]),
    dimensionFilter: fc.constant([{ dimensionId: 'age', values: ['old'] }]),
    featureFilter: some('ACAD', 'zürich', 'hidden'),
    fields: some('visits', 'share', 'weather', 'age', 'state', 'is_obfuscated', 'estimate').map(
      (fields) => ['visits', ...fields.filter((name) => name !== 'visits')],
    ),
    liftsDefaultFilters: fc.boolean(),
    showsSmallCells: fc.boolean(),
  },
  { requiredKeys: ['pattern'] },
);
const ofTrips = fc.record(
  {
    pattern: fc.constant('park/trips'),
    relatedFeatureFilter: some('ACAD', 'zürich'),
    relatedAddressComponentFilter: fc.constant([{ component: 'state', values: ['23'] }]),
  },
  { requiredKeys: ['pattern'] },
);
const ofCustomers = fc.record(
  {
    pattern: fc.constantFrom('shop/customers', 'shop/*'),
    dimensionFilter: fc.constant([{ dimensionId: 'open', values: ['true'] }]),
  },
  { requiredKeys: ['pattern'] },
);

/** The grants of an organisation on the data of the tests: most kinds for most. */
export const randomGrants: fc.Arbitrary<readonly object[]> = fc
  .tuple(
    ...[ofStoresAlone, ofParks, ofVisits, ofTrips, ofCustomers].map((kind) =>
      fc.option<object>(kind, { freq: 4 }),
    ),
  )
  .map((grants) => grants.filter((grant) => grant !== null));
