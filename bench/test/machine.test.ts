import { expect, test } from 'vitest';
import { describeMachine, warnOfLoad } from '../src/results/machine.ts';

test('a busy machine causes a warning, an idle one does not', () => {
  const machine = { ...describeMachine(), cores: 4 };
  expect(warnOfLoad({ ...machine, loadBefore: 1 })).toBeUndefined();
  expect(warnOfLoad({ ...machine, loadBefore: 1.5 })).toBe(
    'This machine is busy: a load of 1.5 on 4 cores. The numbers will say little.',
  );
});

test('a machine is described in full', () => {
  expect(describeMachine()).toEqual({
    cores: expect.any(Number),
    cpuModel: expect.stringMatching(/./),
    memoryBytes: expect.any(Number),
    operatingSystem: expect.stringContaining(' '),
    loadBefore: expect.any(Number),
  });
});
