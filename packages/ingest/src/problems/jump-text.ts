import type { Jump } from '@locmetrics/data-directory/versions/publish-report';
import { escapeControls } from './import-error.ts';

/** A jump as text, for example `2024-03-01: visits 5,000 → 50 (-99%), against 2024-02-01`. */
export function jumpText({ of, field, before, after, comparedWith }: Jump): string {
  const change = `${numberText(before)} → ${numberText(after)}${percentText(before, after)}`;
  const against = comparedWith === null ? '' : `, against ${comparedWith}`;
  return `${escapeControls(of)}: ${field ?? 'records'} ${change}${against}`;
}

/** The change of a number, for example ` (+12.5%)`. Empty if it has no percentage. */
export function percentText(before: number | null, after: number | null): string {
  if (before === null || after === null || before === 0 || before === after) return '';
  const percent = ((after - before) / Math.abs(before)) * 100;
  const size = Math.abs(percent);
  // A small change is not shown as none.
  const rounded = size < 1 ? percent.toPrecision(1) : percent.toFixed(size < 100 ? 1 : 0);
  return ` (${percent < 0 ? '' : '+'}${numberText(Number(rounded))}%)`;
}

export function numberText(value: number | null): string {
  if (value === null) return 'none';
  return value.toLocaleString(
    'en-US',
    Number.isInteger(value) ? {} : { maximumSignificantDigits: 6 },
  );
}
