import { damaged } from '../../data/selection.ts';
import type { UsagePeriod } from '../../data/usage-queries.ts';

export type Measure = 'requests' | 'rows' | 'bytes';

/** The state of the view: its period, and the count that the bars show. Absent days are those of this month. */
export type UsageAddress = Partial<UsagePeriod> & { readonly measure?: Measure };

const MEASURES: readonly string[] = ['requests', 'rows', 'bytes'] satisfies readonly Measure[];

export function readUsageAddress(query: Readonly<Record<string, unknown>>): UsageAddress {
  const { from, to, measure } = query;
  return {
    ...(from === undefined ? {} : { from: readDay('from', from) }),
    ...(to === undefined ? {} : { to: readDay('to', to) }),
    ...(measure === undefined ? {} : { measure: readMeasure(measure) }),
  };
}

/** The period of an address. The service counts days in UTC. */
export function periodOf({ from, to }: UsageAddress, now = Date.now()): UsagePeriod {
  const last = to ?? dayOf(now);
  return { from: from ?? `${last.slice(0, 7)}-01`, to: last };
}

export type Preset = { readonly label: string; readonly period: Partial<UsagePeriod> };

/** Periods that people often ask for; all end today. */
export function presetsOf(now = Date.now()): readonly Preset[] {
  const daysBack = (days: number): UsagePeriod => ({
    from: dayOf(now - (days - 1) * DAY_MS),
    to: dayOf(now),
  });
  return [
    { label: 'This month', period: {} },
    { label: '7 days', period: daysBack(7) },
    { label: '30 days', period: daysBack(30) },
    { label: '90 days', period: daysBack(90) },
    { label: `${DAYS_MAX} days`, period: daysBack(DAYS_MAX) },
  ];
}

/**
 * The period after one of its days was changed: the other follows, if it would end before it begins or have more days
 * than the service accepts.
 */
export function changePeriod(period: UsagePeriod, changed: Partial<UsagePeriod>): UsagePeriod {
  const { from, to } = { ...period, ...changed };
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days >= 1 && days <= DAYS_MAX) return { from, to };
  const away = days < 1 ? 0 : (DAYS_MAX - 1) * DAY_MS;
  return changed.from === undefined
    ? { from: dayOf(Date.parse(to) - away), to }
    : { from, to: dayOf(Date.parse(from) + away) };
}

/** All days of a period, also those without usage; at most as many as the service accepts. */
export function daysOf({ from, to }: UsagePeriod): readonly string[] {
  const days: string[] = [];
  for (let ms = Date.parse(from); ms <= Date.parse(to) && days.length < DAYS_MAX; ms += DAY_MS) {
    days.push(dayOf(ms));
  }
  return days;
}

const DAY_MS = 24 * 3600 * 1000;
/** The most days of a period that the service accepts. */
const DAYS_MAX = 366;

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function readDay(name: string, given: unknown): string {
  if (typeof given === 'string' && isDay(given)) return given;
  throw damaged(name, given, 'a day, YYYY-MM-DD');
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

function readMeasure(given: unknown): Measure {
  // Checked just now.
  if (typeof given === 'string' && MEASURES.includes(given)) return given as Measure;
  throw damaged('measure', given, MEASURES.join(', '));
}
