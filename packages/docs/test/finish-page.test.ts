import { expect, test } from 'vitest';
import { composeStyles, finishPage, type SharedFiles } from '../src/finish-page.ts';

test('a page has neither scripts nor styles inline, and its addresses are relative', () => {
  const shared: SharedFiles = { scripts: new Map(), styles: new Map() };
  const page = [
    '<html><head><link rel="stylesheet" href="/docs/_astro/a.css"></head><body>',
    '<script>run()</script><a href="/docs/">Docs</a><a href="/docs/../">Explorer</a>',
    '<b title="a > b" style="--depth: 1;" class="x">1</b><i style="--depth: 1">2</i>',
    '<code>style="--depth: 1"</code></body></html>',
  ].join('');
  expect(finishPage(page, { path: 'how-to/deploy/index.html', shared })).toMatchInlineSnapshot(
    `"<html><head><link rel="stylesheet" href="../../_astro/a.css"><link rel="stylesheet" href="../../attributes.css"></head><body><script src="../../_astro/02fcae88.js"></script><a href="../../">Docs</a><a href="../../../">Explorer</a><b title="a > b" class="y0 x">1</b><i class="y0">2</i><code>style="--depth: 1"</code></body></html>"`,
  );
  expect([...shared.scripts.values()]).toEqual(['run()']);
  expect(composeStyles(shared)).toBe('.y0{--depth: 1}\n');
});
