import type { DatabaseSync } from 'node:sqlite';
import type { RightsCheck } from './check-rights.ts';
import type { Clock } from './clock.ts';
import type { MakeChange } from './make-change.ts';
import type { OrganisationOperations } from './organisations.ts';
import type { RandomBytes } from './random-text.ts';

/** The parts of an opened control store that its operations share. */
export type StoreParts = {
  readonly database: DatabaseSync;
  readonly clock: Clock;
  readonly random: RandomBytes | undefined;
  readonly organisations: Pick<OrganisationOperations, 'checkOrganisation'>;
  readonly makeChange: MakeChange;
  readonly rights: RightsCheck;
};
