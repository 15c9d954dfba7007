import { describe, test } from 'vitest';
import type { EngineUnderTest } from './engine-under-test.ts';

/** A `describe` for each engine, when the suite runs on it. `$name` in the title is its name. */
export const describeOn =
  (engines: readonly EngineUnderTest[]) =>
  (title: string, body: (engine: EngineUnderTest) => void): void => {
    for (const engine of engines) {
      describe(titleFor(engine, title), { tags: engine.tags ?? [] }, () => body(engine));
    }
  };

/** A test for each engine, when the suite runs on it. `$name` in the title is its name. */
export const testOn =
  (engines: readonly EngineUnderTest[]) =>
  (title: string, body: (engine: EngineUnderTest) => Promise<void>, timeoutMs?: number): void => {
    for (const engine of engines) {
      const timeout = timeoutMs === undefined ? {} : { timeout: timeoutMs };
      test(titleFor(engine, title), { tags: engine.tags ?? [], ...timeout }, () => body(engine));
    }
  };

const titleFor = ({ name }: EngineUnderTest, title: string): string => title.replace('$name', name);
