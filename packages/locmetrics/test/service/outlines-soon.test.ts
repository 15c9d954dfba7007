import type { TileOutlines } from '@locmetrics/core/domain/outline';
import { Stop } from '@locmetrics/core/runtime/stop';
import { outlinesSoon } from '@locmetrics/server/service/outlines-soon';
import { expect, test } from 'vitest';

const OUTLINES: TileOutlines = {
  count: 0,
  bits: 0,
  boxAt: () => [0, 0, 0, 0],
  idAt: () => '',
  outlineAt: () => ({ id: '', rings: [] }),
};

test('a tile waits for outlines whose file is still checked', async () => {
  const answers = [undefined, undefined, OUTLINES];
  expect(await outlinesSoon(() => answers.shift(), new Stop())).toBe(OUTLINES);
  expect(answers).toEqual([]);
});

test('outlines that do not come are refused', async () => {
  await expect(outlinesSoon(() => undefined, new Stop())).rejects.toMatchObject({
    reason: 'NOT_READY',
  });
});

test('a caller that has gone waits for nothing', async () => {
  const stop = new Stop();
  stop.abort(new Error('gone'));
  await expect(outlinesSoon(() => undefined, stop)).rejects.toThrow('gone');
});
