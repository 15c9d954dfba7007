import { expect, test } from 'vitest';
import { type TestPolygon, toPolygon } from '../areas/test-polygon.ts';
import { ENGINES } from '../engines/engines.ts';
import { useService } from '../engines/service-under-test.ts';
import { describeOn } from '../engines/test-on.ts';
import { PARK_TABLES } from '../parks.ts';
import { refusalOf } from '../refusal.ts';
import type { FeaturesQuestion } from './ask-metrics.ts';

const ALL = ['ACAD', 'YELL', 'blank', 'hidden', 'zürich', 'é'];

describeOn(ENGINES)('features of a layer, $name engine', (engine) => {
  const service = useService(engine, ...PARK_TABLES);
  const found = async (question: FeaturesQuestion = {}) => {
    const pages = await service.featurePages({ pageSize: 2, ...question });
    const ids = pages.flatMap(({ features }) => features.map(({ featureId }) => featureId));
    expect(pages.map(({ totalSize }) => totalSize)).toEqual(pages.map(() => ids.length));
    return ids;
  };
  const refusal = (question: FeaturesQuestion) => refusalOf(service.searchLayerFeatures(question));

  test('without a query they are ordered by id, with all their parts', async () => {
    expect(await found()).toEqual(ALL);
    const { features, queryScores } = await service.searchLayerFeatures({ layerId: 'states' });
    expect(features).toEqual([
      {
        layerId: 'states',
        featureId: '007',
        name: '',
        addressComponents: [
          { component: 'capital', value: 'Bern', shortName: '', displayName: '' },
          { component: 'state', value: '7', shortName: '', displayName: '' },
        ],
        cameIntoExistence: '',
        ceasedToExist: '',
      },
      expect.objectContaining({ featureId: '23', name: 'Maine' }),
      expect.objectContaining({ featureId: '56', name: 'Wyoming' }),
    ]);
    expect(queryScores).toEqual([]);
  });

  test('the defaults of metrics do not hide a feature', async () => {
    expect(await found({ featureFilter: ['hidden'] })).toEqual(['hidden']);
  });

  test('a query ranks by name, id and components, and removes no feature', async () => {
    const ranked = async (query: string) => {
      const { features, queryScores } = await service.searchLayerFeatures({ query });
      expect(features).toHaveLength(ALL.length);
      return features
        .map(({ featureId }, index) => [featureId, Number(queryScores[index]?.toFixed(2))])
        .filter(([, score]) => score !== 0);
    };
    expect(await ranked('YELL')).toEqual([['YELL', 1]]);
    expect(await ranked('yell')).toEqual([['YELL', 0.83]]);
    expect(await ranked('yellow')).toEqual([['YELL', 0.5]]);
    expect(await ranked('stone')).toEqual([['YELL', 0.33]]);
    expect(await ranked('É')).toEqual([
      ['é', 1],
      ...['ACAD', 'YELL', 'hidden', 'zürich'].map((id) => [id, 0.33]),
    ]);
    expect((await ranked('e\u0301'))[0]).toEqual(['é', 0.83]);
    expect(await ranked('ZURICH')).toEqual([['zürich', 0.83]]);
    expect(await ranked('See 😀')).toEqual([['zürich', 0.6]]);
    expect(await ranked('a')).toEqual([
      ['ACAD', 0.5],
      ['blank', 0.33],
      ['hidden', 0.33],
    ]);
    expect(await ranked('%')).toEqual([]);
  });

  test.each([1, 2, 4, 5, 6, 7])('pages of %d keep the ranking', async (pageSize) => {
    const inRank = ['ACAD', 'blank', 'hidden', 'YELL', 'zürich', 'é'];
    expect(await found({ query: 'a', pageSize })).toEqual(inRank);
    for (const sentRowsMax of [1, 2, 3]) {
      expect(await found({ query: 'a', pageSize, sentRowsMax })).toEqual(inRank);
    }
    const pages = await service.featurePages({ query: 'a', pageSize });
    const scores = pages.flatMap(({ queryScores }) => queryScores);
    expect(scores.map((score) => Math.round(score * 6))).toEqual([3, 2, 2, 0, 0, 0]);
  });

  test('features are filtered by id and component', async () => {
    expect(await found({ featureFilter: ['é', 'nothing', 'ACAD'] })).toEqual(['ACAD', 'é']);
    expect(await found({ featureFilter: ['nothing'] })).toEqual([]);
    const by = (component: string, ...values: readonly string[]) =>
      found({ addressComponentFilter: [{ component, values }] });
    expect(await by('state', '23', '7')).toEqual(['ACAD', 'hidden', 'é']);
    expect(await by('state', '')).toEqual(['blank']);
    expect(await by('gates', '007')).toEqual([]);
    expect(await by('is_obfuscated', 'true', '')).toEqual(['blank', 'hidden']);
  });

  test('features with a point in a box are found, including its edges, also across the antimeridian', async () => {
    const inside = (minLng: number, minLat: number, maxLng: number, maxLat: number) =>
      found({ boundingBoxFilter: { minLng, minLat, maxLng, maxLat } });
    expect(await inside(-180, -90, 180, 90)).toEqual(['YELL']);
    expect(await inside(-110.5, 44.6, -110.5, 44.6)).toEqual(['YELL']);
    expect(await inside(-110.4, 44, -110, 45)).toEqual([]);
    expect(await inside(170, 0, -110.5, 90)).toEqual(['YELL']);
    expect(await inside(170, 0, -110.6, 90)).toEqual([]);
  });

  test('features with a point in a polygon are found, including its edges, also across the antimeridian', async () => {
    const inside = (...points: TestPolygon) => found({ polygonFilter: toPolygon(points) });
    expect(await inside([-111, 44], [-110, 44], [-110, 45], [-111, 44])).toEqual([]);
    expect(await inside([-111, 44], [-110, 45], [-111, 45], [-111, 44])).toEqual(['YELL']);
    expect(await inside([-110.5, 44], [-110, 44], [-110.5, 45], [-110.5, 44])).toEqual(['YELL']);
    expect(await inside([170, 0], [-110.5, 44.6], [170, 89], [170, 0])).toEqual(['YELL']);
    expect(await inside([170, 0], [-110.6, 44.6], [170, 89], [170, 0])).toEqual([]);
  });

  test('features with a point in a circle are found, up to its edge', async () => {
    const around = (longitude: number, latitude: number, radiusMetres: number) =>
      found({ circleFilter: { longitude, latitude, radiusMetres } });
    expect(await around(-110.5, 44.6, 1e-9)).toEqual(['YELL']);
    expect(await around(-110.5, 45.6, 111_196)).toEqual(['YELL']);
    expect(await around(-110.5, 45.6, 111_195)).toEqual([]);
    expect(await around(0, 90, 5_050_000)).toEqual(['YELL']);
  });

  test('features that existed at some time in a range are found', async () => {
    const existed = async (start?: string, end?: string) => {
      const existedInDateRange = {
        ...(start === undefined ? {} : { start }),
        ...(end === undefined ? {} : { end }),
      };
      const ids = await found({ existedInDateRange });
      return ALL.filter((id) => !ids.includes(id));
    };
    expect(await existed()).toEqual([]);
    expect(await existed('2024-02-01')).toEqual([]);
    expect(await existed('2024-02-02')).toEqual(['zürich']);
    expect(await existed(undefined, '2024-01-31')).toEqual([]);
    expect(await existed(undefined, '2024-01-30')).toEqual(['YELL']);
    expect(await existed('2024-01-31', '2024-02-01')).toEqual([]);
    expect(await existed('0001-01-01', '9999-12-31')).toEqual([]);
    expect(await existed('2024-02-02', '2024-02-02')).toEqual(['zürich']);
    // The features of a layer without an existence always exist.
    const states = { layerId: 'states', existedInDateRange: { end: '1000-01-01' } };
    expect(await found(states)).toHaveLength(3);
  });

  test('a whitelist keeps only its components, in the order of the layer', async () => {
    const components = async (...addressComponentWhitelist: readonly string[]) => {
      const { features } = await service.searchLayerFeatures({ addressComponentWhitelist });
      return features[0]?.addressComponents.map(({ component }) => component);
    };
    expect(await components('gates', 'state', 'gates')).toEqual(['state', 'gates']);
    expect(await components('note')).toEqual(['note']);
    expect(await components()).toHaveLength(6);
  });

  test('invalid requests are refused', async () => {
    expect(await refusal({ layerId: 'park' })).toMatchInlineSnapshot(`
      "LAYER_NOT_FOUND at /layerId
      The catalog 'conformance' has no layer 'park'.
      Did you mean 'parks'?"
    `);
    expect(await refusal({ layerId: '' })).toMatchInlineSnapshot(`
      "LAYER_NOT_FOUND at /layerId
      No layer of the catalog 'conformance' is named.
      Known: parks, states."
    `);
    expect(await refusal({ catalogId: 'nothing' })).toContain('CATALOG_NOT_FOUND at /catalogId');
    expect(await refusal({ addressComponentWhitelist: ['state', 'sate'] })).toMatchInlineSnapshot(`
      "UNKNOWN_COMPONENT at /addressComponentWhitelist/1
      The layer 'parks' has no component 'sate'.
      Did you mean 'state'?"
    `);
    expect(await refusal({ featureFilter: [''] })).toContain('INVALID_FILTER_VALUE');
    expect(
      await refusal({ addressComponentFilter: [{ component: 'note', values: ['free'] }] }),
    ).toContain('UNSUPPORTED_FILTER');
    expect(await refusal({ query: 'a\0' })).toMatchInlineSnapshot(`
      "INVALID_SEARCH_TERM at /query
      The text to search contains U+0000 or a lone surrogate, which no stored text contains.
      Send well-formed Unicode text."
    `);
    expect(await refusal({ query: 'x'.repeat(1001) })).toMatchInlineSnapshot(`
      "INVALID_SEARCH_TERM at /query
      The text to search has 1001 characters.
      Send at most 1000."
    `);
    expect(await refusal({ existedInDateRange: { start: '2024-02-30' } })).toContain(
      'INVALID_PERIOD at /existedInDateRange/start',
    );
    const box = { minLng: 0, minLat: 0, maxLng: 1, maxLat: 1 };
    expect(await refusal({ boundingBoxFilter: { ...box, minLat: 2 } })).toMatchInlineSnapshot(`
      "INVALID_BOUNDING_BOX at /boundingBoxFilter/south
      south 2 is greater than north 1.
      Swap the two latitudes. Only west may be greater: such a box crosses the antimeridian."
    `);
    expect(await refusal({ boundingBoxFilter: { ...box, maxLng: 181 } })).toMatchInlineSnapshot(`
      "INVALID_BOUNDING_BOX at /boundingBoxFilter/east
      The degree 181 is not between -180 and 180.
      Longitudes are between -180 and 180; a box across the antimeridian has west > east."
    `);
    expect(await refusal({ layerId: 'states', boundingBoxFilter: box })).toMatchInlineSnapshot(`
      "UNAVAILABLE_OPTION at /boundingBoxFilter
      The features of the layer 'states' have no point, so they cannot be filtered by a box.
      Leave the bounding box out."
    `);
    const polygonFilter = toPolygon([
      [0, 0],
      [1, 0],
      [0, 1],
      [0, 0],
    ]);
    expect(await refusal({ layerId: 'states', polygonFilter })).toMatchInlineSnapshot(`
      "UNAVAILABLE_OPTION at /polygonFilter
      The features of the layer 'states' have no point, so they cannot be filtered by a polygon.
      Leave the polygon out."
    `);
    expect(await refusal({ boundingBoxFilter: box, polygonFilter })).toMatchInlineSnapshot(`
      "INVALID_OPTION at /polygonFilter
      The request has both a polygon and a bounding box.
      Send one of them. The polygon can have the corners of the box."
    `);
    const circleFilter = { longitude: 0, latitude: 0, radiusMetres: 1 };
    expect(await refusal({ layerId: 'states', circleFilter })).toMatchInlineSnapshot(`
      "UNAVAILABLE_OPTION at /circleFilter
      The features of the layer 'states' have no point, so they cannot be filtered by a circle.
      Leave the circle out."
    `);
    expect(await refusal({ boundingBoxFilter: box, circleFilter })).toMatchInlineSnapshot(`
      "INVALID_OPTION at /circleFilter
      The request has both a circle and a bounding box.
      Send one of them."
    `);
    expect(await refusal({ polygonFilter, circleFilter })).toMatchInlineSnapshot(`
      "INVALID_OPTION at /circleFilter
      The request has both a circle and a polygon.
      Send one of them."
    `);
    expect(
      await refusal({ circleFilter: { ...circleFilter, latitude: 91 } }),
    ).toMatchInlineSnapshot(`
      "INVALID_CIRCLE at /circleFilter/latitude
      The latitude 91 is not between -90 and 90.
      Longitudes are from -180 to 180, latitudes from -90 to 90; longitude and latitude may be swapped."
    `);
    const { coordinates } = polygonFilter;
    const open = { ...polygonFilter, coordinates: coordinates.slice(0, 3) };
    expect(await refusal({ polygonFilter: open })).toMatchInlineSnapshot(`
      "INVALID_POLYGON at /polygonFilter/coordinates
      The ring has 3 points.
      Send at least 4 points, of which the last repeats the first."
    `);
  });
});
