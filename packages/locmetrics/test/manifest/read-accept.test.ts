import { expect, test } from 'vitest';
import { useManifests } from './manifest-under-test.ts';

const { read, problems } = useManifests();

const manifest = (accept: string, more = ''): string => `format: 1
datasets:
  shop.visits:
    files: visits.csv
    key: [store, month]
${more}    accept: ${accept}
    fields:
      store: { type: string }
      month: { type: date }
      visits: { type: integer }
`;
const PERIOD = '    period: { start: month, end: month }\n';

test('a manifest without accept refuses every wrong row, and no change', async () => {
  const { datasets } = await read(manifest('{}'));
  expect(datasets[0]?.accept).toEqual({ rejectedRows: { count: 0 } });
  const without = await read(manifest('{}').replace('    accept: {}\n', ''));
  expect(without.datasets[0]?.accept).toEqual({ rejectedRows: { count: 0 } });
});

test('thresholds are counts or percentages', async () => {
  const accept = `
      rejected_rows: 0.5%
      row_count_change: 30 %
      vanished_periods: 0
      vanished_features: 12
      period_jump: 250%
      feature_jump: 50%
      jumped_features: '2%'`;
  expect((await read(manifest(accept, PERIOD))).datasets[0]?.accept).toEqual({
    rejectedRows: { percent: 0.5 },
    rowCountChange: { percent: 30 },
    vanishedPeriods: { count: 0 },
    vanishedFeatures: { count: 12 },
    periodJumpPercent: 250,
    featureJumpPercent: 50,
    jumpedFeatures: { percent: 2 },
  });
});

test('with a threshold for jumps of features, no feature may jump unless a number is accepted', async () => {
  const { datasets } = await read(manifest('{ feature_jump: 50% }'));
  expect(datasets[0]?.accept).toEqual({
    rejectedRows: { count: 0 },
    featureJumpPercent: 50,
    jumpedFeatures: { count: 0 },
  });
});

test('records without a feature need a metric that gives them one', async () => {
  expect(await problems(manifest('{ unmatched_records: 1% }'))).toMatchInlineSnapshot(
    `"/locmetrics.yaml:6: datasets.shop.visits.accept.unmatched_records: No metric is over the dataset, so its records have no features. Declare the metric, or leave this out."`,
  );
});

test('an invalid threshold is reported with its line', async () => {
  const accept = `
      rejected_rows: 1.5
      row_count_change: '-1%'
      vanished_periods: few
      vanished_features: -1
      period_jump: 50
      feature_jump: 1e3%
      jumped_feature: 1%`;
  expect(
    await problems(manifest(accept, PERIOD).replace('\n      jumped_feature: 1%', '')),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:8: datasets.shop.visits.accept.rejected_rows: 1.5 is neither a count nor a share. Write a whole number such as 10, or a percentage such as 1%.
    /locmetrics.yaml:9: datasets.shop.visits.accept.row_count_change: "-1%" is neither a count nor a share. Write a whole number such as 10, or a percentage such as 1%.
    /locmetrics.yaml:10: datasets.shop.visits.accept.vanished_periods: "few" is neither a count nor a share. Write a whole number such as 10, or a percentage such as 1%.
    /locmetrics.yaml:11: datasets.shop.visits.accept.vanished_features: -1 is neither a count nor a share. Write a whole number such as 10, or a percentage such as 1%.
    /locmetrics.yaml:12: datasets.shop.visits.accept.period_jump: 50 is not a percentage. Write one such as 50%.
    /locmetrics.yaml:13: datasets.shop.visits.accept.feature_jump: "1e3%" is not a percentage. Write one such as 50%."
  `);
  expect(await problems(manifest(accept, PERIOD))).toBe(
    "/locmetrics.yaml:14: datasets.shop.visits.accept.jumped_feature: Unknown key 'jumped_feature'. Did you mean 'jumped_features'?",
  );
});

test('a threshold for something that the dataset does not have is reported, since it would never apply', async () => {
  const accept = '{ vanished_periods: 0, period_jump: 50% }';
  expect(await problems(manifest(accept))).toMatchInlineSnapshot(`
    "/locmetrics.yaml:6: datasets.shop.visits.accept.vanished_periods: The dataset has no period. Declare its period, or leave this out.
    /locmetrics.yaml:6: datasets.shop.visits.accept.period_jump: The dataset has no period. Declare its period, or leave this out."
  `);
  const days = manifest('{ vanished_features: 0 }', PERIOD).replace('[store, month]', '[month]');
  expect(await problems(days)).toMatchInlineSnapshot(
    `"/locmetrics.yaml:7: datasets.shop.visits.accept.vanished_features: No field of the dataset says which feature a record is about. Put one into its key, or leave this out."`,
  );
});
