import type { Grant } from './grant.ts';

/** How a grant fits a dataset or metric that its pattern matches. */
export type GrantFit = {
  /** The dataset or metric. */
  readonly name: string;
  /** Whether the grant makes any of it visible. */
  readonly isSeen: boolean;
  /** The parts of the grant that do not fit, each as a sentence; empty if all fit. */
  readonly problems: readonly string[];
};

/** The part of a grant that a switch of versions takes away. */
export type GrantLoss = GrantFit & {
  readonly organisationId: string;
  readonly grantId: string;
  readonly pattern: string;
};

/**
 * | state | meaning |
 * |---|---|
 * | fits | everything that the grant names exists |
 * | misfit | something that it names does not exist |
 * | names_nothing | its pattern matches no published data |
 * | ended | its last day has passed |
 */
export const GRANT_STATES = ['fits', 'misfit', 'names_nothing', 'ended'] as const;
export type GrantState = (typeof GRANT_STATES)[number];

export function grantState(
  { ends }: Pick<Grant, 'ends'>,
  fits: readonly GrantFit[],
  now: number,
): GrantState {
  if (ends !== undefined && ends <= now) return 'ended';
  if (fits.length === 0) return 'names_nothing';
  return fits.every(({ problems }) => problems.length === 0) ? 'fits' : 'misfit';
}
