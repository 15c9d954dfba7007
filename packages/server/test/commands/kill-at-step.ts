/** Loaded before a publish: as in `versions`, where DuckDB is not loaded, and each statement of DuckDB is a step too. */
import { DuckDBConnection } from '@duckdb/node-api';
import { count, type Functions, sql } from '../versions/kill-at-step.ts';

count(DuckDBConnection.prototype as unknown as Functions, ['run'], sql);
