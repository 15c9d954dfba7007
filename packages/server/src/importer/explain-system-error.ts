import { PublishError } from './publish-error.ts';

/**
 * What to tell where the machine had too little of something: DuckDB, SQLite and Node each say it in
 * their own way. Any other error is given back as it is.
 */
export function explainSystemError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PublishError) return error;
  if (DISK_FULL.test(error.message)) {
    return new PublishError(
      'The disk is full. Nothing was published: what is served stays as it was.',
      'Make room: locmetrics gc removes what need not be kept any more. Or choose another directory: --data DIRECTORY.',
      { cause: error },
    );
  }
  if (/^Out of Memory Error/.test(error.message)) {
    return new PublishError(
      'The memory for publishing is not enough. Nothing was published: what is served stays as it was.',
      'Give it more: --publish-memory SIZE. Fewer threads need less: --threads N.',
      { cause: error },
    );
  }
  return error;
}

const DISK_FULL =
  /No space left on device|ENOSPC|Disk quota exceeded|EDQUOT|File too large|EFBIG|database or disk is full|not enough disk space|max_temp_directory_size/i;
