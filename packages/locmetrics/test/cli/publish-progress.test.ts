import { expect, test } from 'vitest';
import { showPublishProgress } from '../../src/cli/publish-progress.ts';

test('on a terminal each step overwrites the previous one, and the end clears the line', () => {
  const { written, progress } = open({ isTerminal: true, columns: 80 });
  progress.update('a.b', { stage: 'reading' });
  progress.update('a.b', { stage: 'reading', fraction: 0.5 });
  progress.update('a.b', { stage: 'reading', fraction: 0.501 });
  progress.end();
  expect(written).toEqual([
    '\r\u001b[2K░░░░░░░░░░░░░░░░░░░░ a.b: reading',
    '\r\u001b[2K██████████░░░░░░░░░░ a.b: reading 50 %',
    '\r\u001b[2K',
  ]);
});

test('a line longer than the terminal is cut, so that it can be overwritten', () => {
  const { written, progress } = open({ isTerminal: true, columns: 30 });
  progress.update('product.dataset', { stage: 'reading', fraction: 1 });
  expect(written).toEqual(['\r\u001b[2K████████████████████ product.']);
});

test('elsewhere each stage is one plain line, also if a draft reads a file again', () => {
  const { written, progress } = open({ isTerminal: false, columns: 80 });
  progress.update('a.b', { stage: 'reading' });
  progress.update('a.b', { stage: 'reading', fraction: 0.5 });
  progress.update('a.b', { stage: 'writing', fraction: 0.1 });
  progress.update('a.b', { stage: 'reading' });
  progress.end();
  expect(written).toEqual(['a.b: reading\n', 'a.b: writing\n']);
});

function open(terminal: { readonly isTerminal: boolean; readonly columns: number }) {
  const written: string[] = [];
  const progress = showPublishProgress({
    data: () => {},
    messages: (text) => written.push(text),
    ...terminal,
  });
  return { written, progress };
}
