import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
/** From what users start down to what all others import, so that the dots are below the diagonal only. */
const PACKAGES = [
  'bench',
  'docs',
  'explorer',
  'sdk',
  'locmetrics',
  'cluster',
  'server',
  'ingest',
  'row-store',
  'column-store',
  'data-directory',
  'core',
  'contract',
] as const;
const NAMES: Readonly<Record<string, string>> = { client: 'sdk' };

const WIDTH = 980;
const BOX = { left: 16, width: 650, padding: 12 };
const MATRIX = { left: 690, step: 21 };
const TOP = 120;
const LINE = 18;
const GAP = 8;
/** Of a monospaced character at 12 px, which every reader's typeface has within a little. */
const CHARACTER = 7.3;
const DESCRIPTION_CHARACTERS = 92;

/** The picture of ARCHITECTURE.md: the packages with their folders, and which package imports which. */
export function packageMap(): { readonly path: string; readonly text: string } {
  const unlisted = readdirSync(join(REPOSITORY, 'packages')).filter(
    (name) => existsSync(join(folderOf(name), 'package.json')) && !isListed(name),
  );
  assert.deepEqual(unlisted, [], 'PACKAGES lacks packages.');
  const parts: string[] = [];
  let top = TOP;
  const architecture = readFileSync(join(REPOSITORY, 'ARCHITECTURE.md'), 'utf8');
  for (const [row, name] of PACKAGES.entries()) {
    const box = drawBox(name, foldersOf(name, architecture), top);
    parts.push(box.text, drawImports(name, row, top, box.height));
    top += box.height + GAP;
  }
  const height = top + 8;
  return {
    path: join(REPOSITORY, 'docs', 'images', 'packages.svg'),
    text: [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title">`,
      '<title id="title">The packages of Locmetrics with their folders, and which package imports which</title>',
      `<style>${STYLE}</style>`,
      `<rect class="page" width="${WIDTH}" height="${height}" rx="10"/>`,
      '<text class="name" x="16" y="34">Packages and folders</text>',
      '<text class="note" x="16" y="58">Each row is a package. A dot says that it imports the package of the column.</text>',
      '<text class="note" x="16" y="78">Read from the bottom: a package imports only those below it.</text>',
      drawColumns(height),
      ...parts,
      '</svg>\n',
    ].join('\n'),
  };
}

function isListed(name: string): boolean {
  return PACKAGES.some((listed) => listed === name);
}

/** Colours for a light and for a dark page, each on a ground of its own. */
const STYLE = [
  '.page{fill:#fff;stroke:#d0d7de}.box{fill:#f6f8fa;stroke:#afb8c1}.chip{fill:#fff;stroke:#d0d7de}',
  'text{fill:#1f2328;font:13px system-ui,sans-serif}.name{font-weight:600;font-size:15px}.note{fill:#59636e}',
  '.folder{font:12px ui-monospace,monospace}.line{stroke:#d0d7de}.dot{fill:#0969da}.self{fill:#afb8c1}',
  '@media (prefers-color-scheme:dark){.page{fill:#0d1117;stroke:#3d444d}.box{fill:#151b23;stroke:#3d444d}',
  '.chip{fill:#0d1117;stroke:#3d444d}text{fill:#f0f6fc}.note{fill:#9198a1}.line{stroke:#3d444d}.dot{fill:#4493f8}.self{fill:#656c76}}',
].join('');

function drawColumns(height: number): string {
  return PACKAGES.map((name, index) => {
    const x = columnAt(index);
    return [
      `<line class="line" x1="${x}" y1="${TOP}" x2="${x}" y2="${height - 16}"/>`,
      `<text class="folder" transform="translate(${x + 4} ${TOP - 8}) rotate(-60)">${name}</text>`,
    ].join('');
  }).join('\n');
}

function columnAt(index: number): number {
  return MATRIX.left + index * MATRIX.step;
}

/** A box with the name, what the package is for, and a chip for each folder. */
function drawBox(
  name: string,
  folders: readonly string[],
  top: number,
): { readonly text: string; readonly height: number } {
  const left = BOX.left + BOX.padding;
  const lines = wrap(descriptionOf(name));
  const texts = lines.map(
    (line, index) =>
      `<text class="note" x="${left}" y="${top + 42 + index * LINE}">${escapeXml(line)}</text>`,
  );
  let x = left;
  let y = top + 34 + lines.length * LINE;
  const chips = folders.map((folder) => {
    const width = Math.round(folder.length * CHARACTER + 14);
    if (x + width > BOX.left + BOX.width - BOX.padding) {
      x = left;
      y += 26;
    }
    const chip = `<rect class="chip" x="${x}" y="${y}" width="${width}" height="21" rx="5"/><text class="folder" x="${x + 7}" y="${y + 15}">${folder}</text>`;
    x += width + 6;
    return chip;
  });
  const height = (folders.length === 0 ? y - 6 : y + 32) - top;
  return {
    height,
    text: [
      `<rect class="box" x="${BOX.left}" y="${top}" width="${BOX.width}" height="${height}" rx="8"/>`,
      `<text class="name" x="${left}" y="${top + 22}">${name === 'bench' ? name : `packages/${name}`}</text>`,
      ...texts,
      ...chips,
    ].join('\n'),
  };
}

function drawImports(name: string, row: number, top: number, height: number): string {
  const imported = importsOf(name);
  const y = top + height / 2;
  return PACKAGES.flatMap((target, column) => {
    if (column === row)
      return [`<circle class="self" cx="${columnAt(column)}" cy="${y}" r="2.5"/>`];
    if (!imported.has(target)) return [];
    return [
      `<circle class="dot" cx="${columnAt(column)}" cy="${y}" r="6"><title>${name} imports ${target}</title></circle>`,
    ];
  }).join('\n');
}

function folderOf(name: string): string {
  return join(REPOSITORY, name === 'bench' ? name : join('packages', name));
}

function descriptionOf(name: string): string {
  const manifest = JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'));
  return `${manifest.description.replace(/\.$/, '')}.`;
}

/** The folders that the tables of ARCHITECTURE.md name; of other packages those of the first level. */
function foldersOf(name: string, architecture: string): readonly string[] {
  const listed = [...architecture.matchAll(/^\| `([^`]+)` \|/gm)].map(([, folder = '']) => folder);
  const found = listed.filter((folder) => folder.startsWith(`${name}/`));
  if (found.length > 0) {
    const folders = [...new Set(found)].map((folder) => folder.slice(name.length + 1));
    return folders.filter((folder) => !folder.endsWith('.ts')).toSorted();
  }
  const source = join(folderOf(name), 'src');
  if (!existsSync(source)) return [];
  return readdirSync(source, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
}

/** The packages that the source of a package imports. */
function importsOf(name: string): ReadonlySet<string> {
  const source = join(folderOf(name), 'src');
  if (!existsSync(source)) return new Set();
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const imported = files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [
      ...readFileSync(join(source, file), 'utf8').matchAll(
        /(?:\bfrom|\bimport)\s*\(?\s*'@locmetrics\/([a-z-]+)/g,
      ),
    ])
    .map(([, target = '']) => NAMES[target] ?? target);
  return new Set(imported);
}

function wrap(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= DESCRIPTION_CHARACTERS) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
