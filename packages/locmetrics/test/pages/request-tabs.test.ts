import { expect, test } from 'vitest';
import { requestPages } from './request-tabs.ts';

test('pages show the same requests in Python and in TypeScript', () => {
  const counts = (language: 'python' | 'ts') =>
    requestPages(language).map(({ page, blocks }) => [page, blocks.length]);
  expect(counts('python')).toEqual(counts('ts'));
  expect(counts('ts').length).toBeGreaterThan(5);
});
