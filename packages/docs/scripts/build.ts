import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { composeLlms, composeLlmsFull } from '../src/compose-llms.ts';
import { composeStyles, finishPage, type SharedFiles, STYLE_FILE } from '../src/finish-page.ts';
import { COPIES } from '../src/link-address.ts';
import { readPages } from '../src/read-pages.ts';

/**
 * Builds the documentation into `dist`, as the service serves it. It does nothing if what it is built from has not changed.
 * `--standalone` builds `dist-standalone` for any static host: without links to a service beside it. `--base` is the path of
 * the site there, for the page of unknown addresses; `--source` the address of the repository's files on the web.
 */
const { values } = parseArgs({
  options: {
    standalone: { type: 'boolean', default: false },
    base: { type: 'string', default: '/' },
    source: { type: 'string' },
  },
});
/** Parts of Pagefind that are not loaded: its own pages, and what pages in an unknown language need. */
const UNUSED = /^(?:pagefind-(?:.*ui|highlight)\.|wasm\.unknown\.)/;
const folder = join(import.meta.dirname, '..');
const root = join(folder, '..', '..');
const dist = join(folder, values.standalone ? 'dist-standalone' : 'dist');
const draft = join(folder, `dist-draft-${process.pid}`);
const site = readPages(root);
const builtFrom = fingerprint();

if (readBuiltFrom() !== builtFrom) {
  try {
    await buildPages();
    finishPages();
    copyFiles();
    if (!values.standalone) compressFiles();
    writeFileSync(join(draft, 'built-from'), builtFrom);
    rmSync(dist, { recursive: true, force: true });
    renameSync(draft, dist);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
if (values.standalone) process.stdout.write(`${dist}\n`);

function readBuiltFrom(): string | undefined {
  const path = join(dist, 'built-from');
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** The hash of all that a build reads: pages, files that they link to, the sources of the site, and the versions of the packages. */
function fingerprint(): string {
  const hash = createHash('sha256').update(JSON.stringify(values));
  const files = [
    ...['package-lock.json', 'packages/explorer/src/ui/theme.css'].map((name) => join(root, name)),
    ...['astro.config.ts', 'scripts/build.ts'].map((name) => join(folder, name)),
    ...['src', 'public'].flatMap((name) => filesIn(join(folder, name))),
    ...filesIn(join(root, 'docs', 'images')),
    ...[...site.pages.keys(), ...site.copies].sort().map((name) => join(root, name)),
  ];
  for (const path of files) hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest('hex');
}

/** Loaded only for a build, because that takes a second. */
async function buildPages(): Promise<void> {
  process.chdir(folder);
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  if (values.standalone) process.env['DOCS_STANDALONE'] = 'yes';
  if (values.source !== undefined) process.env['DOCS_SOURCE'] = values.source;
  const { build } = await import('astro');
  await build({ root: folder, outDir: draft, logLevel: 'error' });
}

function finishPages(): void {
  const shared: SharedFiles = { scripts: new Map(), styles: new Map() };
  for (const file of filesIn(draft).filter((path) => path.endsWith('.html'))) {
    const path = file.slice(draft.length + 1);
    // Hosts send this page for addresses of any depth. The service replaces the path if it is below another one.
    const base = path === '404.html' ? { base: values.standalone ? values.base : '/docs/' } : {};
    writeFileSync(file, finishPage(readFileSync(file, 'utf8'), { path, shared, ...base }));
  }
  for (const [path, script] of shared.scripts) writeFileSync(join(draft, path), script);
  writeFileSync(join(draft, STYLE_FILE), composeStyles(shared));
  for (const file of filesIn(join(draft, '_astro')).filter((path) => path.endsWith('.css'))) {
    // Fonts are beside the style sheets.
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('/docs/_astro/', './'));
  }
}

function copyFiles(): void {
  for (const name of readdirSync(join(draft, 'pagefind'))) {
    if (UNUSED.test(name)) rmSync(join(draft, 'pagefind', name));
  }
  cpSync(join(root, 'docs', 'images'), join(draft, 'images'), { recursive: true });
  for (const file of site.copies) {
    const to = join(draft, COPIES, `${file}.txt`);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(root, file), to);
  }
  writeFileSync(join(draft, 'llms.txt'), composeLlms(site));
  writeFileSync(join(draft, 'llms-full.txt'), composeLlmsFull(site));
}

/** Writes `.gz` beside each text file, so that the service compresses nothing. */
function compressFiles(): void {
  for (const path of filesIn(draft)) {
    if (!/\.(?:js|css|html|svg|json|txt)$/.test(path)) continue;
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  }
}

function filesIn(below: string): readonly string[] {
  return readdirSync(below, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}
