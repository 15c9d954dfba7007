import { duckdbEngine } from './duckdb-engine.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { memoryEngine } from './memory-engine.ts';

/** The engines that the suite runs. A new engine is one more entry. */
export const ENGINES: readonly EngineUnderTest[] = [memoryEngine, duckdbEngine];
