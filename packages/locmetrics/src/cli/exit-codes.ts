/** The exit codes of a command; the help and the reference show this table. */
export const EXIT_CODE_TABLE = {
  done: { code: 0, meaning: 'done' },
  failed: { code: 1, meaning: 'failed: the message says why and what to do' },
  usage: { code: 2, meaning: 'wrong usage or wrong settings: the message says which' },
  interrupted: { code: 130, meaning: 'stopped by Ctrl+C (SIGINT) before the end' },
  terminated: { code: 143, meaning: 'stopped by SIGTERM before the end' },
} as const;

export const EXIT_CODES = {
  done: EXIT_CODE_TABLE.done.code,
  failed: EXIT_CODE_TABLE.failed.code,
  usage: EXIT_CODE_TABLE.usage.code,
  interrupted: EXIT_CODE_TABLE.interrupted.code,
  terminated: EXIT_CODE_TABLE.terminated.code,
} as const;
