import { styleText } from 'node:util';
import { describeObservation } from './describe-observation.ts';
import { LOG_TABLE, type LogRow } from './log-table.ts';
import type { Observation } from './observation.ts';

type Style = 'green' | 'cyan' | 'yellow' | 'red' | 'dim';
type Completed = Extract<Observation, { readonly kind: 'request_completed' }>;

/**
 * An observation as one readable line for a terminal. No text in it can move the cursor or change the
 * colours, even if it comes from a caller.
 */
export function readableLine(
  observation: Observation,
  { colours, now = new Date() }: { readonly colours: boolean; readonly now?: Date },
): string {
  const style = (name: Style, text: string): string =>
    colours ? styleText(name, printable(text), { validateStream: false }) : printable(text);
  const time = style('dim', now.toTimeString().slice(0, 'HH:MM:SS'.length));
  if (observation.kind === 'request_completed') {
    const status = style(styleOf(observation.status), String(observation.status).padEnd(3));
    return `${time} ${status} ${printable(requestText(observation))}\n`;
  }
  // The row of a kind accepts only observations of that kind, and this is one.
  const { level, message, sentence } = LOG_TABLE[observation.kind] as LogRow;
  const { kind, ...facts } = describeObservation(observation);
  const text = sentence?.(observation) ?? message ?? readableName(String(kind));
  const shown = sentence === undefined ? factsText(facts) : '';
  const name = level === 'info' ? 'info' : style(level === 'warn' ? 'yellow' : 'red', level);
  return `${time} ${name} ${printable(text)}${shown === '' ? '' : ` ${style('dim', shown)}`}\n`;
}

function requestText({
  method,
  route,
  durationMs,
  rows,
  organisationId,
  reason,
}: Completed): string {
  return [
    `${method} ${route}`,
    `${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms`,
    ...(rows === undefined ? [] : [`${rows} ${rows === 1 ? 'row' : 'rows'}`]),
    ...(organisationId === undefined ? [] : [organisationId]),
    ...(reason === undefined ? [] : [reason]),
  ].join('  ');
}

function styleOf(status: Completed['status']): Style {
  if (typeof status === 'string') {
    if (status === 'OK') return 'green';
    return FAILURES.has(status) ? 'red' : 'yellow';
  }
  if (status >= 500) return 'red';
  if (status >= 400) return 'yellow';
  return status >= 300 ? 'cyan' : 'green';
}

/** The gRPC equivalents of 5xx. */
const FAILURES: ReadonlySet<string> = new Set([
  'INTERNAL',
  'UNAVAILABLE',
  'UNIMPLEMENTED',
  'DEADLINE_EXCEEDED',
]);

function readableName(kind: string): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('_', ' ')}`;
}

function factsText(facts: Readonly<Record<string, unknown>>): string {
  return Object.entries(facts)
    .map(([name, fact]) => `${name}=${factText(fact)}`)
    .join(' ');
}

function factText(fact: unknown): string {
  const shown = shownFact('', fact);
  return typeof shown === 'string' ? shown : JSON.stringify(shown, shownFact);
}

/** An error is shown as its message with its causes; the stack is in the lines of JSON. */
function shownFact(_name: string, fact: unknown): unknown {
  if (typeof fact !== 'object' || fact === null || !('message' in fact)) return fact;
  const because = 'cause' in fact ? ` (${factText(fact.cause)})` : '';
  return `${fact.message}${because}`;
}

/** Replaces control, invisible and bidirectional formatting characters by their code points. */
function printable(text: string): string {
  return text.replaceAll(
    UNPRINTABLE,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
