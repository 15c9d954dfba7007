import { type GrantFit, type GrantState, grantState } from '@locmetrics/core/domain/grant-fit';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import type { GrantEntry } from '@locmetrics/server/auth/grants';
import { fitGrant } from '@locmetrics/server/service/rights/fit-grant';
import type { StoreOptions } from '../../compose/open-data.ts';
import { withStoreUpToDate } from '../../compose/with-versions.ts';

/** A grant, and how it fits the published data. */
export type FittedGrant = GrantEntry & {
  readonly state: GrantState;
  readonly fits: readonly GrantFit[];
};

export function listFitted(
  options: StoreOptions,
  organisationId: string | undefined,
): Promise<readonly FittedGrant[]> {
  const filter = organisationId === undefined ? {} : { organisationId };
  return withStoreUpToDate(options, (store, directory, { clickhouse }) => {
    const isInDatabase = clickhouse !== undefined;
    const published = openCatalog(directory, { isInDatabase }).snapshot();
    return store.listGrants(filter).map((entry) => {
      const fits = fitGrant(entry.grant, published);
      return { ...entry, fits, state: grantState(entry.grant, fits, Date.now()) };
    });
  });
}

export function isMisfit({ state }: FittedGrant): boolean {
  return state === 'misfit' || state === 'names_nothing';
}

export function misfitCountText(others: number, all: number): string {
  const grants = all === 1 ? 'grant' : 'grants';
  return `${others} of ${all} ${grants} ${others === 1 ? 'does' : 'do'} not fit the published data.`;
}
