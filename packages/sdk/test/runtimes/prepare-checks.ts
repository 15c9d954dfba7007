import { runOnSample, type Sample } from '../../../locmetrics/test/clients/start-sample.ts';
import { until } from '../../../locmetrics/test/support/until.ts';
import { createClient } from '../../src/index.ts';

/**
 * Makes the tokens that the examples and `checks.ts` need: one for administrators, an expired one, those of two
 * organisations, and an expired page token.
 */
export async function prepareChecks(sample: Sample): Promise<Readonly<Record<string, string>>> {
  const run = (...args: readonly string[]) => runOnSample(sample, args).trim();
  const createToken = (...args: readonly string[]): string =>
    JSON.parse(run('token', 'create', '--name', 'checks', '--json', ...args)).token;
  run('org', 'create', 'Other', '--id', 'other');
  run('org', 'create', 'Limited', '--id', 'limited');
  run('grant', 'add', 'other', 'mobility.*');
  run('limits', 'set', 'limited', '--requests-per-second', '1', '--burst', '1');
  const otherToken = createToken('--org', 'other');
  const expiredToken = createToken('--org', 'demo', '--expires', '1s');
  const url = sample.environment['LOCMETRICS_URL'] ?? '';
  const other = createClient({ url, token: otherToken });
  const expired = createClient({ url, token: expiredToken });
  const { nextPageToken } = await other.listRecords({
    dataReferenceName: 'mobility.states',
    pageSize: 10,
  });
  // A change of the rights ends the pages that have begun.
  run('grant', 'add', 'other', 'mobility.states', '--field', 'us_state');
  await until(() =>
    expired.listCatalogs().then(
      () => false,
      () => true,
    ),
  );
  return {
    LOCMETRICS_ADMIN_TOKEN: createToken('--org', 'demo', '--scope', 'admin'),
    EXPIRED_TOKEN: expiredToken,
    OTHER_TOKEN: otherToken,
    EXPIRED_PAGE_TOKEN: nextPageToken,
    LIMITED_TOKEN: createToken('--org', 'limited'),
  };
}
