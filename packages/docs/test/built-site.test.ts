import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';

/** The site as `npm run build` writes it; `npm test` runs that before. */
const dist = join(import.meta.dirname, '..', 'dist');

/** Addresses that the service has beside the site. */
const OF_SERVICE = [resolve(dist, '..'), join(dist, 'api')];

type BuiltPage = {
  readonly path: string;
  readonly html: string;
  readonly ids: ReadonlySet<string>;
};
let pages: ReadonlyMap<string, BuiltPage>;
beforeAll(() => {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  pages = new Map(
    files
      .filter((file) => file.endsWith('.html'))
      .map((file) => {
        const html = readFileSync(join(dist, file), 'utf8');
        const ids = new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id));
        return [join(dist, file), { path: file, html, ids }];
      }),
  );
});

test('every link of every page leads to a page or a file, and to a place on it', () => {
  expect(pages.size).toBeGreaterThan(50);
  expect([...pages.keys()].flatMap(brokenLinks)).toEqual([]);
});

test('pages load nothing from other hosts, and have neither scripts nor styles inline', () => {
  const wrong = [...pages.values()].filter(({ html }) =>
    /<script(?![^>]*\ssrc=")|<style|<[^>]*\s(?:on[a-z]+|style)="[^>]*>|<(?:script|link|img|iframe)[^>]*\s(?:src|href)="(?:https?:)?\/\//.test(
      html.replaceAll(/<code.*?<\/code>/gs, ''),
    ),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('the text files for language models name every page for users, and pages that exist', () => {
  const list = readFileSync(join(dist, 'llms.txt'), 'utf8');
  const links = [...list.matchAll(/\]\(\.\/([^)]+\/)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter((link) => !pages.has(join(dist, link, 'index.html')))).toEqual([]);
  expect(readFileSync(join(dist, 'llms-full.txt'), 'utf8')).toContain(
    'File: docs/reference/errors.md',
  );
});

function brokenLinks(file: string): readonly string[] {
  const page = pages.get(file);
  const links = page?.html.matchAll(/\s(?:href|src|data-pagefind)="([^"]*)"/g) ?? [];
  return [...links]
    .map(([, link = '']) => link.replaceAll('&#38;', '&').replaceAll('&amp;', '&'))
    .filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(file, link))
    .map((link) => `${page?.path}: ${link}`);
}

function leadsSomewhere(file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path.startsWith('/docs/')
    ? join(dist, path.slice('/docs/'.length))
    : resolve(dirname(file), path);
  if (OF_SERVICE.includes(resolve(target))) return true;
  const found = path === '' ? file : path.endsWith('/') ? join(target, 'index.html') : target;
  if (!found.endsWith('.html')) return existsSync(found);
  const ids = pages.get(found)?.ids;
  return ids !== undefined && (anchor === undefined || ids.has(decodeURIComponent(anchor)));
}
