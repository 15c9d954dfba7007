import { expect, test } from 'vitest';
import { findConflicts } from '../../src/config/check-config.ts';
import { readConfig, type SettingFlags } from '../../src/config/read-config.ts';

const find = (flags: SettingFlags) => findConflicts(readConfig(flags, {}).config);
const TLS_FILES = { tlsCertificate: 'a.pem', tlsKey: 'b.pem' };

test.each<SettingFlags>([
  {},
  { http: 'off' },
  { http: 'off', grpc: 'off', https: '0.0.0.0:443', ...TLS_FILES },
  { http: '127.0.0.1:0', grpc: '127.0.0.1:0', https: '127.0.0.1:0' },
  { http: '127.0.0.1:80', grpc: '127.0.0.2:80' },
  { http: '0.0.0.0:80', allowPlaintext: 'on' },
  { http: '[::1]:80' },
  { http: 'localhost:80' },
  { grpc: '0.0.0.0:443', ...TLS_FILES },
  { http: '[::1]:90', grpc: '127.0.0.1:90' },
  { http: '0.0.0.0:90', grpc: '127.0.0.1:91', allowPlaintext: 'on' },
  { http: 'localhost:90', grpc: '127.0.0.2:90' },
  { memoryBytes: '128MiB', workers: '2' },
  { clickhouse: 'https://me@db:8443/places', clickhousePassword: 'hush' },
])('%j is a valid combination', (flags) => {
  expect(find(flags)).toEqual([]);
});

test.each<[SettingFlags, string, string]>([
  [
    { clickhousePassword: 'hush' },
    '--clickhouse-password is given, but --clickhouse is not.',
    'Give the URL of the database with --clickhouse, or leave --clickhouse-password out.',
  ],
  [
    { clickhouseCluster: 'all' },
    '--clickhouse-cluster is given, but --clickhouse is not.',
    'Give the URL of the database with --clickhouse, or leave --clickhouse-cluster out.',
  ],
  [
    { clickhouse: 'http://db:8123/places', clickhouseReplicated: 'on' },
    '--clickhouse-replicated is on, but --clickhouse-cluster is not given.',
    'Name the cluster with --clickhouse-cluster, or leave --clickhouse-replicated out.',
  ],
  [
    { clickhouse: 'http://me:hush@db:8123/places', clickhousePassword: 'hush' },
    'The password of ClickHouse is given twice: in --clickhouse and as --clickhouse-password.',
    'Leave it out of the URL: set it in the configuration file or as LOCMETRICS_CLICKHOUSE_PASSWORD, because other users of the machine can see the flags of a process.',
  ],
  [
    { http: 'off', grpc: 'off', metrics: '127.0.0.1:9090' },
    'There is no address to serve: --http, --https, --grpc and --grpc-plaintext are all off.',
    'Give one of them an address, for example --http 127.0.0.1:8080.',
  ],
  [
    { https: '127.0.0.1:8443' },
    '--https and --grpc use the same address 127.0.0.1:8443.',
    'Give --grpc another port, or turn it off.',
  ],
  [
    { metrics: '127.0.0.1:8080' },
    '--http and --metrics use the same address 127.0.0.1:8080.',
    'Give --metrics another port, or turn it off.',
  ],
  [
    { http: '0.0.0.0:80' },
    '--http 0.0.0.0:80 can be reached from other machines in plaintext: tokens and data could be read on the network.',
    'Use --https 0.0.0.0:80 with --http off, listen on 127.0.0.1, or add --allow-plaintext if you trust the network.',
  ],
  [
    { grpcPlaintext: '127.example.org:80' },
    '--grpc-plaintext 127.example.org:80 can be reached from other machines in plaintext: tokens and data could be read on the network.',
    'Listen on 127.0.0.1, or add --allow-plaintext if you trust the network.',
  ],
  [
    { metrics: '[::]:9090' },
    '--metrics [::]:9090 can be reached from other machines in plaintext: tokens and data could be read on the network.',
    'Listen on 127.0.0.1, or add --allow-plaintext if you trust the network.',
  ],
  [
    { grpc: '0.0.0.0:8443' },
    '--grpc listens on 0.0.0.0:8443, but the generated certificate is only valid for localhost.',
    'Give a certificate with --tls-certificate FILE and --tls-key FILE, or listen on 127.0.0.1.',
  ],
  [
    { tlsCertificate: 'a.pem' },
    'There is a certificate for TLS, but --tls-key is not given.',
    'Give both --tls-certificate and --tls-key, or neither.',
  ],
  [
    { tlsKey: 'a.pem' },
    'There is a key for TLS, but --tls-certificate is not given.',
    'Give both --tls-certificate and --tls-key, or neither.',
  ],
  [
    { memoryBytes: '128MiB', workers: '3' },
    '--memory 128MiB for 3 workers is less than 64MiB per worker.',
    'Give more with --memory, or run fewer workers with --workers.',
  ],
])('%j is refused', (flags, message, hint) => {
  expect(find(flags)).toEqual([{ message, hint }]);
});

test.each<[SettingFlags, string]>([
  [{ http: 'localhost:90', grpc: '127.0.0.1:90' }, '--http localhost:90 and --grpc 127.0.0.1:90'],
  [{ http: 'LOCALHOST:90', grpc: '[::1]:90' }, '--http LOCALHOST:90 and --grpc [::1]:90'],
  [{ http: '0.0.0.0:90', grpc: '127.0.0.1:90' }, '--http 0.0.0.0:90 and --grpc 127.0.0.1:90'],
  [{ http: '127.0.0.9:90', metrics: '0.0.0.0:90' }, '--http 127.0.0.9:90 and --metrics 0.0.0.0:90'],
  [{ http: '[::]:90', grpc: '127.0.0.1:90' }, '--http [::]:90 and --grpc 127.0.0.1:90'],
  [{ http: '[::1]:90', grpc: '[0:0::1]:90' }, '--http [::1]:90 and --grpc [0:0::1]:90'],
])('%j is the same port twice', (flags, both) => {
  expect(find({ ...flags, allowPlaintext: 'on' })).toEqual([
    {
      message: `${both} use port 90 of the same address.`,
      hint: expect.stringMatching(/^Give --(grpc|metrics) another port, or turn it off\.$/),
    },
  ]);
});

test('all conflicts are reported together', () => {
  const found = find({ grpcPlaintext: '0.0.0.0:1', metrics: '0.0.0.0:2', tlsKey: 'a.pem' });
  expect(found.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^--grpc-plaintext /),
    expect.stringMatching(/^--metrics /),
    expect.stringMatching(/^There is a key /),
  ]);
});
