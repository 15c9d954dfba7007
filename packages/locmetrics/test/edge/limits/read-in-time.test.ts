import { PassThrough } from 'node:stream';
import { readInTime } from '@locmetrics/server/edge/http/routes/read-in-time';
import { expect, test, vi } from 'vitest';

test('a source that sends nothing more is destroyed, and the read fails', async () => {
  const source = new PassThrough();
  source.write('begun');
  const chunks = readInTime(source, 10);
  expect(String((await chunks.next()).value)).toBe('begun');
  await expect(chunks.next()).rejects.toThrow('sent nothing for 10 ms');
  expect(source.destroyed).toBe(true);
});

test('a reader may take any time between two reads', async () => {
  vi.useFakeTimers();
  try {
    const source = new PassThrough();
    source.write('first');
    const chunks = readInTime(source, 1000);
    await chunks.next();
    vi.advanceTimersByTime(1_000_000);
    source.end('last');
    expect(String((await chunks.next()).value)).toBe('last');
    expect(await chunks.next()).toMatchObject({ done: true });
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a reader that leaves destroys the source', async () => {
  const source = new PassThrough();
  source.write('begun');
  for await (const chunk of readInTime(source, 1000)) {
    expect(String(chunk)).toBe('begun');
    break;
  }
  expect(source.destroyed).toBe(true);
});
