import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../locmetrics/test/support/temporary-folder.ts';
import { clientSize } from '../scripts/client-size.ts';
import { packClient } from '../scripts/pack-client.ts';

const SIZE_MAX_BYTES = 12_000;

let root = '';
let built = '';
let packed = '';
beforeAll(() => {
  root = temporaryFolder();
  packed = packClient(root);
  built = join(root, 'client');
});

test('publint has nothing to say about the package', async () => {
  const { messages } = await publint({ pkgDir: built, pack: false, strict: true });
  expect(messages).toEqual([]);
});

test('the types are right wherever modules are loaded as modules', async () => {
  const checked = createPackageFromTarballData(readFileSync(packed));

  const { types, ...result } = await checkPackage(checked);

  expect(types).toMatchObject({ kind: 'included' });
  const problems = 'problems' in result ? result.problems : [];
  // The package is for modules only: `require` of it needs a Node that loads modules with it.
  expect(
    problems.filter(
      (problem) =>
        !('resolutionKind' in problem && /node10|node16-cjs/.test(problem.resolutionKind)),
    ),
  ).toEqual([]);
});

test('the package needs others for gRPC only, and has only compiled files', () => {
  const manifest = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
  expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([
    'peerDependencies',
    'peerDependenciesMeta',
  ]);
  const peers = Object.keys(manifest.peerDependencies);
  expect(manifest.peerDependenciesMeta).toEqual(
    Object.fromEntries(peers.map((name) => [name, { optional: true }])),
  );
  const others = readdirSync(join(built, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('.'))
    .filter((name) => !/\.(js|d\.ts)$/.test(name));
  expect(others).toEqual([]);
});

test('the files that a browser loads are less than 12 kB with gzip', () => {
  const { files, gzipBytes } = clientSize(join(built, 'src', 'index.js'));
  expect(files).toBeGreaterThan(5);
  expect(gzipBytes).toBeLessThan(SIZE_MAX_BYTES);
});

test('the entry for administrators is small too, and the main one loads nothing of it', () => {
  const { gzipBytes } = clientSize(join(built, 'src', 'admin.js'));
  expect(gzipBytes).toBeLessThan(SIZE_MAX_BYTES);
  const main = readFileSync(join(built, 'src', 'index.js'), 'utf8');
  expect(main).not.toContain('admin');
  expect(clientSize(join(built, 'src', 'index.js')).files).toBe(12);
});
