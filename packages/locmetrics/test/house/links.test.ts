import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

test('every link between pages leads to a file, and to a heading of it', () => {
  const pages = listPages(ROOT);
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.flatMap((page) => brokenLinks(page))).toEqual([]);
});

test('a page is linked from the list of pages, or from that of its folder', () => {
  const index = join(ROOT, 'docs/README.md');
  const pagesOf = (list: string) => linksOf(list).map(({ path }) => path);
  const lists = [index, ...pagesOf(index).filter((path) => path.endsWith('/README.md'))];
  const listed = new Set(lists.flatMap(pagesOf));
  const pages = listPages(join(ROOT, 'docs')).filter(
    (page) => page !== index && !page.includes('/decisions/'),
  );
  expect(pages.filter((page) => !listed.has(page))).toEqual([]);
});

test('a page of a decision has a date and is listed in ARCHITECTURE.md, with the same date', () => {
  const map = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const unlisted = listPages(join(ROOT, 'docs/decisions')).filter((page) => {
    const [, date] = readFileSync(page, 'utf8').match(/^Decided on (\d{4}-\d{2}-\d{2})\.$/m) ?? [];
    return date === undefined || !map.includes(`](${relative(ROOT, page)}) (${date})`);
  });
  expect(unlisted).toEqual([]);
});

function listPages(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isForeign(entry.name) ? [] : listPages(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** Whether a folder holds files that are not ours: packages, built files and data directories. */
function isForeign(name: string): boolean {
  return name === 'node_modules' || name === 'dist' || name.startsWith('.');
}

function brokenLinks(page: string): readonly string[] {
  return linksOf(page)
    .filter(({ path, anchor }) => {
      if (!existsSync(path)) return true;
      if (anchor === '') return false;
      return !statSync(path).isFile() || !headingsOf(path).has(anchor);
    })
    .map(({ link }) => `${relative(ROOT, page)}: ${link}`);
}

type Link = { readonly link: string; readonly path: string; readonly anchor: string };

/** The links of a page to other files of the repository and within itself; not those in blocks of code. */
function linksOf(page: string): readonly Link[] {
  return [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [file = '', anchor = ''] = link.split('#');
      return { link, anchor, path: file === '' ? page : resolve(dirname(page), file) };
    });
}

/** The anchors of the headings, as GitHub makes them: lower case, hyphens for spaces, no punctuation. */
function headingsOf(page: string): ReadonlySet<string> {
  const anchors = new Map<string, number>();
  const found = new Set<string>();
  for (const [, heading = ''] of withoutCode(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const before = anchors.get(anchor) ?? 0;
    anchors.set(anchor, before + 1);
    found.add(before === 0 ? anchor : `${anchor}-${before}`);
  }
  return found;
}

function withoutCode(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^```.*?^```$/gms, '');
}
