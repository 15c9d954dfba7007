import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { linkAddress } from '../src/link-address.ts';
import { type Pages, readPages } from '../src/read-pages.ts';
import { composeSidebar, pagesOf } from '../src/sidebar.ts';

const root = join(import.meta.dirname, '..', '..', '..');
let pages: Pages;
beforeAll(() => {
  pages = readPages(root);
});

test.each([
  ['how-to/monitor.md', '/docs/how-to/monitor/'],
  ['reference/errors.md#codes', '/docs/reference/errors/#codes'],
  ['../README.md', '/docs/project/overview/'],
  ['../examples', '/docs/examples/'],
  [
    '../packages/locmetrics/sample/locmetrics.yaml',
    '/docs/files/packages/locmetrics/sample/locmetrics.yaml.txt',
  ],
  ['https://example.com/x.md', 'https://example.com/x.md'],
  ['#here', '#here'],
  ['../package.json', undefined],
])('the link %s of the first page leads to %s', (link, address) => {
  expect(linkAddress(link, { root, file: 'docs/README.md', pages })).toBe(address);
});

test('a file that is not on the site is linked at the repository, where that is known', () => {
  const source = 'https://git.example.com/locmetrics/src/main';
  const options = { root, file: 'docs/README.md', pages, source };
  expect(linkAddress('../package.json', options)).toBe(`${source}/package.json`);
});

test('the navigation has each page once, but the first and the decisions', () => {
  const shown = pagesOf(composeSidebar(pages));
  const all = [...pages.pages.values()]
    .map(({ slug }) => slug)
    .filter((slug) => slug !== '' && !slug.startsWith('decisions/'));
  expect([...shown].sort()).toEqual([...all].sort());
});
