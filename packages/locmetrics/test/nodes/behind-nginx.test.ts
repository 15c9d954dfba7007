import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCallers } from '../deploy/open-callers.ts';
import {
  makeCertificates,
  NO_NGINX,
  nodeFlags,
  type RunningNginx,
  startNginx,
} from '../deploy/start-nginx.ts';
import { SHOPS } from '../edge/shops.ts';
import { freePort } from '../support/listen-locally.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type NodesUnderTest, openNodes } from './nodes-under-test.ts';

let folder = '';
let nodes: NodesUnderTest | undefined;
let nginx: RunningNginx | undefined;
beforeAll(async () => {
  folder = temporaryFolder();
  if (NO_NGINX === undefined) nodes = await openNodes();
}, 600_000);
afterAll(async () => {
  await nginx?.stop();
  await nodes?.end();
}, 600_000);

test('callers see no failure while nodes that share everything are restarted one after the other', {
  timeout: 600_000,
}, async ({ skip }) => {
  if (nodes === undefined) return skip(NO_NGINX);
  const { run, publish, serve } = nodes;
  makeCertificates(folder);
  await publish('first', SHOPS);
  await run('first', 'org', 'create', 'Shops', '--id', 'shops');
  await run('first', 'grant', 'add', 'shops', '*');
  const token = (await run('first', 'token', 'create', '--org', 'shops', '--name', 'x')).trim();
  const names = ['first', 'second'] as const;
  const portsOfNode = async () => ({ https: await freePort(), grpc: await freePort() });
  const ports = [await portsOfNode(), await portsOfNode()] as const;
  const start = (index: 0 | 1) =>
    serve(names[index], ...nodeFlags(folder, ports[index]), '--drain-delay', '500ms');
  const serving = [await start(0), await start(1)];
  nginx = await startNginx(folder, ports);
  const callers = openCallers(nginx, { token, organisationId: 'shops', certificates: folder });

  await callers.untilAnswered(100);
  for (const index of [0, 1] as const) {
    serving[index]?.kill('SIGTERM');
    expect((await serving[index]?.ended)?.code).toBe(0);
    await callers.untilAnswered(50);
    serving[index] = await start(index);
    // The other node publishes once more.
    await publish(names[index === 0 ? 1 : 0], SHOPS);
    await callers.untilAnswered(50);
  }
  const { answered, failures } = await callers.stop();
  expect(failures).toEqual([]);
  expect(Math.min(...Object.values(answered))).toBeGreaterThan(10);
  const log = nginx.readLog();
  for (const { https } of ports) {
    expect(log.some(({ node }) => node === `127.0.0.1:${https}`)).toBe(true);
  }
});
