import { expect, test } from 'vitest';
import { type ReleaseState, releaseProblems } from '../../scripts/release-problems.ts';

const READY: ReleaseState = {
  version: '0.2.0',
  changes: '',
  tags: ['v0.1.0'],
  changelog: '# Changelog\n\n## Unreleased\n\n## 0.2.0\n\n- More.\n\n## 0.1.0\n\n- All.\n',
  manifests: new Map([
    ['packages/core/package.json', '"version": "0.2.0", "@locmetrics/contract": "0.2.0"'],
  ]),
  mentions: new Map([['deploy/compose.yaml', 'image: locmetrics:0.2.0']]),
};

test('a clean tree with its version and a section of the changelog can be released', () => {
  expect(releaseProblems(READY)).toStrictEqual([]);
});

test('everything that is missing is named at once', () => {
  expect(
    releaseProblems({
      version: '0.2.0',
      changes: ' M README.md\n',
      tags: ['v0.1.0', 'v0.2.0'],
      changelog: '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0\n\n- All.\n',
      manifests: new Map([
        ['packages/core/package.json', '"version": "0.2.0", "@locmetrics/contract": "0.1.0"'],
      ]),
      mentions: new Map([['deploy/compose.yaml', 'image: locmetrics:0.1.0']]),
    }),
  ).toMatchInlineSnapshot(`
    [
      "Commit these changes, or remove them:
     M README.md",
      "v0.2.0 is released already. Set the next version in every package.json.",
      "Move the lines under "Unreleased" in CHANGELOG.md to the section of 0.2.0.",
      "Write what 0.2.0 changes, in a section "## 0.2.0" below "Unreleased".",
      "packages/core/package.json names 0.1.0 instead of 0.2.0.",
      "deploy/compose.yaml names 0.1.0 instead of 0.2.0.",
    ]
  `);
});
