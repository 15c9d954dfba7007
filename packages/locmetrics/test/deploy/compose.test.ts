import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Parsed, readYaml, run, secondsOf, whyMissing } from './deploy-files.ts';

const ONE_NODE = 'deploy/docker/compose.one-node.yaml';
const TWO_NODES = 'deploy/docker/compose.two-nodes.yaml';
const PASSWORDS = { POSTGRES_PASSWORD: 'first', CLICKHOUSE_PASSWORD: 'second' };
const noCompose = whyMissing('docker', 'compose', 'version');

describe.for([ONE_NODE, TWO_NODES])('%s', (file) => {
  const [compose] = readYaml(file);
  const services: Readonly<Record<string, Parsed>> = compose.services;
  const nodes = Object.values(services).filter(({ image }) => image.startsWith('locmetrics:'));

  test('docker compose accepts it', ({ skip }) => {
    if (noCompose !== undefined) return skip(noCompose);
    const config = ['compose', '--file', file, 'config', '--quiet'];
    expect(run('docker', config, { environment: PASSWORDS })).toEqual({ status: 0, output: '' });
  });

  test('ports are published on a loopback address only, and each container has another', () => {
    const published = Object.values(services).flatMap(({ ports = [] }) => ports as string[]);
    expect(published.length).toBeGreaterThan(0);
    const addresses = published.map((port) =>
      port.replace(/^\$\{PUBLISH_ADDRESS:-127\.0\.0\.1\}/, '127.0.0.1'),
    );
    expect(addresses.filter((address) => !address.startsWith('127.0.0.1:'))).toStrictEqual([]);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  test('a node has no rights that it does not need', () => {
    expect(nodes.length).toBeGreaterThan(0);
    for (const node of nodes) {
      expect(node).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
  });

  test('a node has the time to drain before it is killed', () => {
    for (const { environment, stop_grace_period } of nodes) {
      const { LOCMETRICS_DRAIN_DELAY = '0s', LOCMETRICS_DRAIN_TIMEOUT = '40s' } = environment;
      const drain = secondsOf(LOCMETRICS_DRAIN_DELAY) + secondsOf(LOCMETRICS_DRAIN_TIMEOUT);
      expect(secondsOf(stop_grace_period)).toBeGreaterThanOrEqual(drain + 10);
    }
  });

  test('every volume, network and secret that a service names is declared', () => {
    for (const { volumes = [], networks = [], secrets = [] } of Object.values(services)) {
      const named = (volumes as string[]).map((volume) => volume.split(':')[0] ?? '');
      const own = named.filter((name) => !name.startsWith('.'));
      expect(Object.keys(compose.volumes ?? {})).toEqual(expect.arrayContaining(own));
      const joined = Array.isArray(networks) ? networks : Object.keys(networks);
      expect(Object.keys(compose.networks ?? {})).toEqual(expect.arrayContaining(joined));
      const read = (secrets as Parsed[]).map(({ source }) => source);
      expect(Object.keys(compose.secrets ?? {})).toEqual(expect.arrayContaining(read));
    }
  });
});

test('with two nodes, only nginx publishes ports and is in a network with a way out', () => {
  const [{ services, networks }] = readYaml(TWO_NODES);
  const all: [string, Parsed][] = Object.entries(services);
  expect(all.filter(([, { ports }]) => ports !== undefined).map(([name]) => name)).toEqual([
    'nginx',
  ]);
  const isOpen = (name: string): boolean => networks[name].internal !== true;
  const inOpen = all.filter(([, service]) =>
    (Array.isArray(service.networks) ? service.networks : Object.keys(service.networks)).some(
      isOpen,
    ),
  );
  expect(inOpen.map(([name]) => name)).toEqual(['nginx']);
});

test('with two nodes, each is reached by the other at a URL of its own, which its certificate has', () => {
  const [{ services }] = readYaml(TWO_NODES);
  const folder = temporaryFolder();
  const made = run('bash', ['deploy/docker/make-certificates.sh', folder]);
  expect(made.status, made.output).toBe(0);
  const certificate = new X509Certificate(readFileSync(join(folder, 'node.pem')));
  for (const name of ['node-1', 'node-2']) {
    const { environment, hostname } = services[name];
    const { LOCMETRICS_NODE_URL, LOCMETRICS_HTTPS, NODE_EXTRA_CA_CERTS } = environment;
    expect(LOCMETRICS_NODE_URL).toBe(`https://${hostname}:${LOCMETRICS_HTTPS.split(':')[1]}`);
    expect(certificate.checkHost(hostname)).toBe(hostname);
    // It has signed itself.
    expect(NODE_EXTRA_CA_CERTS).toBe(environment.LOCMETRICS_TLS_CERTIFICATE);
  }
  expect(certificate.checkHost('locmetrics.internal')).toBe('locmetrics.internal');
});

test('with two nodes, the services that others wait for say when they are healthy', () => {
  const [{ services }] = readYaml(TWO_NODES);
  const all: Parsed[] = Object.values(services);
  const awaited = new Set(all.flatMap(({ depends_on = {} }) => Object.keys(depends_on)));
  expect([...awaited].sort()).toEqual(['clickhouse', 'node-1', 'node-2', 'postgres']);
  for (const name of awaited) {
    // A node's health check is that of its image.
    if (!name.startsWith('node-')) expect(services[name].healthcheck.test[0]).toBe('CMD');
  }
});

test('with two nodes, the trusted proxy is the address of nginx', () => {
  const [{ services }] = readYaml(TWO_NODES);
  const { environment } = services['node-1'];
  const address = services.nginx.networks.front.ipv4_address;
  expect(environment.LOCMETRICS_TRUSTED_PROXIES).toBe(address);
});
