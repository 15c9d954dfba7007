// @module-tag slow

import { mirrorVersions } from '@locmetrics/cluster/versions/mirror-versions';
import { deliverSwitches } from '@locmetrics/cluster/webhook/deliver-switches';
import type { DeliveryStore } from '@locmetrics/cluster/webhook/delivery-store';
import { type OpenWebhook, openWebhook } from '@locmetrics/cluster/webhook/open-webhook';
import { sharedDelivery } from '@locmetrics/cluster/webhook/shared-delivery';
import { startDelivery } from '@locmetrics/cluster/webhook/start-delivery';
import type { Observation } from '@locmetrics/server/observe/observation';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasPostgres, type RunningPostgres, startPostgres } from '../postgres/start-postgres.ts';
import { publishSmall } from '../versions/small-version.ts';
import { openCluster, type TestCluster, type TestNode } from '../versions/version-cluster.ts';
import { openReceiver, type Receiver, SECRET } from './webhook-receiver.ts';

const QUICK = { pollEveryMs: 10, retryMinMs: 20, retryMaxMs: 50 };

describe.skipIf(!hasPostgres())(
  'the webhook of several nodes (PostgreSQL is not installed where it is skipped)',
  () => {
    let server: RunningPostgres;
    let cluster: TestCluster;
    let nodes: readonly TestNode[];
    const opened: OpenWebhook[] = [];
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.end());
    beforeEach(async () => {
      cluster = await openCluster(await server.createDatabase('versions'));
      nodes = [await cluster.openNode(), await cluster.openNode(), await cluster.openNode()];
    });
    afterEach(async () => {
      for (const webhook of opened.splice(0)) await webhook.close();
      await cluster.close();
    });

    const optionsOf = (
      { directory, postgres }: TestNode,
      { url }: Pick<Receiver, 'url'>,
      store: DeliveryStore = sharedDelivery(postgres),
    ) => ({ directory, store, webhook: { url, secret: SECRET }, clock: Date.now });
    const first = (): TestNode => {
      const [node] = nodes;
      if (node === undefined) throw new Error('There are nodes.');
      return node;
    };
    const switchAndFollow = async (): Promise<void> => {
      await publishSmall(first().store, ['a.a']);
      for (const { postgres, directory } of nodes) await mirrorVersions(postgres, directory);
    };

    it('sends each switch once, although all nodes have it', async () => {
      const receiver = await openReceiver();
      const { directory, postgres } = first();
      await startDelivery(directory, 0, sharedDelivery(postgres));
      const problems: Observation[] = [];
      let told = 0;
      for (const node of nodes) {
        const observe = (observation: Observation) => {
          if (observation.kind === 'webhook_told') told += 1;
          else problems.push(observation);
        };
        opened.push(
          openWebhook({ ...optionsOf(node, receiver), observe, pace: QUICK, random: () => 0 }),
        );
      }
      const count = 10;
      for (let made = 0; made < count; made += 1) await switchAndFollow();
      await receiver.untilReceived(count);
      // A second sender of these is done before the senders end.
      await switchAndFollow();
      await receiver.untilReceived(count + 1);
      // A sender that is closed before it has stored that a switch was sent leaves it to another node, which sends it again.
      await expect.poll(() => told).toBe(count + 1);
      for (const webhook of opened.splice(0)) await webhook.close();
      expect(receiver.switches()).toEqual(
        Array.from({ length: count + 1 }, (_, index) => index + 1),
      );
      expect(problems).toEqual([]);
    });

    it('lets a node go on where another one has ended, with the same ids', async () => {
      const receiver = await openReceiver();
      const [here, there] = nodes;
      if (here === undefined || there === undefined) throw new Error('There are nodes.');
      const given = { observe: () => {}, signal: AbortSignal.timeout(120_000) };
      await startDelivery(here.directory, 0, sharedDelivery(here.postgres));
      await startDelivery(there.directory, 7, sharedDelivery(there.postgres));
      await switchAndFollow();
      expect(await deliverSwitches({ ...optionsOf(here, receiver), ...given })).toEqual({
        kind: 'done',
      });
      await publishSmall(here.store, ['a.a']);
      // The mirror of this node is behind, which must not look like a store that was made anew.
      expect(await deliverSwitches({ ...optionsOf(there, receiver), ...given })).toEqual({
        kind: 'done',
      });
      expect(receiver.switches()).toEqual([1, 2]);
      const ids = receiver.received.map(({ id }) => id.replace(/_\d+$/, ''));
      expect(new Set(ids).size).toBe(1);
    });

    it('waits for the node that delivers, and a node that was cut off does not go on after another one', async () => {
      const [here, there] = nodes;
      if (here === undefined || there === undefined) throw new Error('There are nodes.');
      const given = { observe: () => {}, signal: AbortSignal.timeout(120_000) };
      const store = sharedDelivery(here.postgres);
      await startDelivery(here.directory, 0, store);
      await switchAndFollow();
      await switchAndFollow();
      const receiver = await openReceiver();
      const lock = await store.takeLock(0);
      expect(await deliverSwitches({ ...optionsOf(there, receiver), ...given })).toEqual({
        kind: 'busy',
      });
      await lock?.release();
      const cutOff: DeliveryStore = {
        ...store,
        // As after a loss of its connection: another node takes the lock and delivers.
        takeLock: async () => ({ release: () => {} }),
        replaceState: async (before, state) => {
          if (state.told === 1) await deliverSwitches({ ...optionsOf(there, receiver), ...given });
          return store.replaceState(before, state);
        },
      };
      const delivery = await deliverSwitches({ ...optionsOf(here, receiver, cutOff), ...given });
      expect(delivery).toEqual({ kind: 'busy' });
      // Both have sent the first switch, with the same id; none is skipped.
      expect(receiver.switches()).toEqual([1, 1, 2]);
      expect(receiver.received[0]?.id).toBe(receiver.received[1]?.id);
      expect(await store.readState()).toMatchObject({ told: 2 });
    });
  },
);
