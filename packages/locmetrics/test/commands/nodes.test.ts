import { hostname } from 'node:os';
import { openNodeReports } from '@locmetrics/cluster/versions/node-reports';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasPostgres, type RunningPostgres, startPostgres } from '../postgres/start-postgres.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { publishSmall } from '../versions/small-version.ts';
import { openCluster, type TestCluster, type TestNode } from '../versions/version-cluster.ts';
import { runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();

/** It is named, and never asked. */
const CLICKHOUSE = 'http://default@127.0.0.1:9/none';

it('says what the command needs, where no versions are shared', async () => {
  for (const flags of [[], ['--clickhouse', CLICKHOUSE]]) {
    const { code, messages } = await runCommand(['nodes', '--data', inFolder('none'), ...flags]);
    expect(code).toBe(2);
    expect(messages).toContain('The settings name no versions that nodes share.');
    expect(messages).toContain('--control and --clickhouse');
  }
});

describe.skipIf(!hasPostgres())(
  'the list of nodes (PostgreSQL is not installed where it is skipped)',
  () => {
    let server: RunningPostgres;
    let cluster: TestCluster;
    let first: TestNode;
    let second: TestNode;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.end());
    beforeEach(async () => {
      cluster = await openCluster(await server.createDatabase());
      [first, second] = [await cluster.openNode(), await cluster.openNode()];
      return cluster.close;
    });
    const listNodes = (...flags: readonly string[]) =>
      runCommand([
        ...['nodes', '--data', inFolder('data'), '--control', cluster.url],
        ...['--clickhouse', CLICKHOUSE, ...flags],
      ]);
    const openReports = ({ postgres, directory }: TestNode) =>
      openNodeReports({ postgres, directory, release: '1.2.3', usesForMs: 60_000 });

    it('is empty before the first one', async () => {
      expect(await listNodes()).toMatchObject({
        code: 0,
        data: '',
        messages: 'No node has reported within a day. Start one: locmetrics serve\n',
      });
    });

    it('has where each is, when it was seen, what it has, and who is behind or gone', async () => {
      await publishSmall(first.store, ['a.a']);
      const here = await openReports(first);
      const there = await openReports(second);
      await first.postgres.query(
        `UPDATE node SET last_seen = last_seen - interval '3 hours' WHERE id = $1`,
        [there.id],
      );
      const nodeOf = {
        ...{ host: hostname(), addresses: [], release: '1.2.3' },
        ...{ started: expect.any(String), lastSeen: expect.any(String) },
      };
      const { lastSwitch, nodes } = JSON.parse((await listNodes('--json')).data);
      expect({ lastSwitch, nodes }).toEqual({
        lastSwitch: 1,
        nodes: [
          {
            ...nodeOf,
            ...{ nodeId: here.id, state: 'live', lastSwitch: 1 },
            lastSeenAgeMs: expect.any(Number),
          },
          {
            ...nodeOf,
            ...{ nodeId: there.id, state: 'gone', lastSwitch: 0 },
            lastSeenAgeMs: expect.any(Number),
          },
        ],
      });
      expect(nodes[1].lastSeenAgeMs).toBeGreaterThan(3 * 3600_000 - 1);
      expect(nodes[1].lastSeenAgeMs).toBeLessThan(3 * 3600_000 + 60_000);

      const { data, messages } = await listNodes();
      expect(data.split('\n')[0]).toMatch(
        /^NODE +HOST +ADDRESS +RELEASE +LAST SEEN +STATE +SWITCH$/,
      );
      expect(data).toMatch(new RegExp(`^${here.id} .* 1\\.2\\.3 +\\d+ s ago +live +1$`, 'm'));
      expect(data).toMatch(new RegExp(`^${there.id} .* - +1\\.2\\.3 +3 h ago +gone +0$`, 'm'));
      expect(messages).toBe('The last switch has the number 1.\n');

      await publishSmall(second.store, ['a.a']);
      expect((await listNodes()).data).toMatch(new RegExp(`^${here.id} .* live +1, behind$`, 'm'));
      await here.close();
      await there.close();
      expect((await listNodes()).data).toBe('');
    });

    it('gets the addresses and the switches of later reports', { tags: 'slow' }, async () => {
      const reports = await openReports(first);
      reports.describe(['http://127.0.0.1:8080', 'grpcs://127.0.0.1:8443']);
      await publishSmall(first.store, ['a.a']);
      const listed = async () => JSON.parse((await listNodes('--json')).data).nodes;
      await expect
        .poll(listed)
        .toMatchObject([
          { addresses: ['http://127.0.0.1:8080', 'grpcs://127.0.0.1:8443'], lastSwitch: 1 },
        ]);
      expect((await listNodes()).data).toContain(' http://127.0.0.1:8080 grpcs://127.0.0.1:8443 ');
      await reports.close();
    });
  },
);
