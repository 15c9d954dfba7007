import { isatty } from 'node:tty';
import { type Log, openLog } from '@locmetrics/server/observe/open-log';
import { findColours } from '../cli/colours.ts';
import type { Config } from '../config/settings.ts';

const STANDARD_ERROR = 2;

/** The log of a serving process: readable on a terminal, JSON otherwise. */
export function openServiceLog(
  { accessLog, logFormat }: Config,
  options: Pick<NonNullable<Parameters<typeof openLog>[0]>, 'worker' | 'onLineDropped'> = {},
): Log {
  const isTTY = isatty(STANDARD_ERROR);
  const isReadable = logFormat === 'auto' ? isTTY : logFormat === 'pretty';
  const colours = findColours({ stdout: {}, stderr: { isTTY } }, process.env).messages;
  return openLog({ ...options, accessLog, ...(isReadable ? { readable: { colours } } : {}) });
}
