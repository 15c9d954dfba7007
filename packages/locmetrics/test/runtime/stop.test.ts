import { Stop } from '@locmetrics/core/runtime/stop';
import { expect, test } from 'vitest';

test('a stop tells its listeners once, and keeps the first reason', () => {
  const stop = new Stop();
  const heard: string[] = [];
  stop.addEventListener('abort', () => heard.push('first'));
  stop.addEventListener('abort', () => heard.push('second'));
  expect(stop.aborted).toBe(false);
  expect(() => stop.throwIfAborted()).not.toThrow();
  stop.abort('gone');
  stop.abort('again');
  stop.addEventListener('abort', () => heard.push('late'));
  expect(heard).toEqual(['first', 'second']);
  expect(stop.aborted).toBe(true);
  expect(stop.reason).toBe('gone');
  expect(() => stop.throwIfAborted()).toThrow('gone');
});

test('a removed listener is not told', () => {
  const stop = new Stop();
  const heard: string[] = [];
  const removed = () => heard.push('removed');
  stop.addEventListener('abort', removed);
  stop.addEventListener('abort', () => heard.push('kept'));
  stop.removeEventListener('abort', removed);
  stop.removeEventListener('abort', () => heard.push('unknown'));
  stop.abort();
  expect(heard).toEqual(['kept']);
});

test('a stop without a reason has that of an AbortController', () => {
  const stop = new Stop();
  const controller = new AbortController();
  stop.abort();
  controller.abort();
  expect(stop.reason).toEqual(controller.signal.reason);
});
