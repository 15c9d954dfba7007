import { ControlError } from '@locmetrics/core/errors/control-error';
import { DURATION_UNITS_MS, DURATION_UNITS_TEXT } from '@locmetrics/core/errors/duration-units';
import { parseQuantity } from '@locmetrics/core/errors/parse-quantity';
import { quoteInput } from './quote-input.ts';

export const DURATION_MIN_MS = 1_000;
/** 100 years of 365 days. */
export const DURATION_MAX_MS = 100 * 365 * 86_400_000;

/** How long a rotated token keeps working by default. */
export const DEFAULT_OVERLAP = '24h';

/**
 * The milliseconds of a duration such as `90d`, `24h`, `30m`, `10s` or `2w`: a whole number and one
 * unit, from 1 second (or `minMs`) to 100 years.
 *
 * Throws a ControlError that names the text.
 */
export function parseDuration(
  text: string,
  {
    minMs = DURATION_MIN_MS,
    ...place
  }: { readonly minMs?: number; readonly pointer?: string } = {},
): number {
  const durationMs = parseQuantity(text, DURATION_UNITS_MS);
  if (typeof durationMs === 'string') {
    throw new ControlError(
      `${quoteInput(text)} is not a duration.`,
      `Write a whole number of ${DURATION_UNITS_TEXT}; for example 90d.`,
      { reason: 'INVALID_REQUEST', ...place },
    );
  }
  if (durationMs < minMs || durationMs > DURATION_MAX_MS) {
    throw new ControlError(
      `The duration ${quoteInput(text)} is out of range.`,
      `Choose one from ${minMs / 1_000}s to 36500d (100 years).`,
      { reason: 'INVALID_REQUEST', ...place },
    );
  }
  return durationMs;
}
