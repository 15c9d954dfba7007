import type { GrantEntry } from '../auth/grants.ts';
import { openCatalog } from '../catalog/open-catalog.ts';
import type { Output } from '../cli/output.ts';
import type { Actions } from '../cli/program.ts';
import { formatTable } from '../cli/table.ts';
import type { Grant } from '../domain/grant.ts';
import { grantDays } from '../domain/grant-days.ts';
import { nearestName } from '../domain/nearest-name.ts';
import { toGrantAnswer } from '../encoding/control-entries.ts';
import { checkGrant } from '../service/check-grant.ts';
import { withStore } from './open-data.ts';
import { readGrantFlags } from './read-grant-flags.ts';

export function grantActions(
  output: Output,
): Pick<Actions, 'addGrant' | 'listGrants' | 'removeGrant'> {
  return {
    addGrant: async (organisationId, pattern, { settings, json, ...flags }) => {
      const terms = readGrantFlags(pattern, flags);
      const { entry, names, nearest } = await withStore(
        { settings, output },
        (store, directory) => {
          const snapshot = openCatalog(directory).snapshot();
          const published = [...snapshot.datasets.keys(), ...snapshot.metrics.keys()];
          return {
            names: checkGrant(terms, snapshot),
            nearest: nearestName(pattern, published),
            entry: store.addGrant(organisationId, terms),
          };
        },
      );
      if (names.length === 0) {
        const hint = nearest === undefined ? '' : ` Did you mean '${nearest}'?`;
        output.messages(
          `Nothing that is published has a name of the pattern '${pattern}' yet: the grant will hold for what has.${hint}\n`,
        );
      }
      const grant = toGrantAnswer(entry);
      output.data(
        json
          ? `${JSON.stringify({ grant, names })}\n`
          : `Granted ${organisationId} '${pattern}' (${narrowing(entry.grant)}): the grant ${grant.grantId}.\n`,
      );
    },
    listGrants: async (organisationId, { settings, json }) => {
      const filter = organisationId === undefined ? {} : { organisationId };
      const entries = await withStore({ settings, output }, (store) => store.listGrants(filter));
      if (json) {
        output.data(`${JSON.stringify({ grants: entries.map(toGrantAnswer) })}\n`);
      } else if (entries.length === 0) {
        output.messages('There are no grants. Add one: locmetrics grant add ORG PATTERN\n');
      } else {
        const columns = ['ID', 'ORGANISATION', 'PATTERN', 'FROM', 'UNTIL', 'WHAT'];
        output.data(formatTable(columns, entries.map(toRow)));
      }
    },
    removeGrant: async (grantId, { settings, json }) => {
      const entry = await withStore({ settings, output }, (store) => store.removeGrant(grantId));
      const { organisationId, grant } = entry;
      output.data(
        json
          ? `${JSON.stringify({ grant: toGrantAnswer(entry) })}\n`
          : `Removed the grant ${grant.grantId} of ${organisationId} ('${grant.pattern}').\n`,
      );
    },
  };
}

function toRow({ grant, organisationId }: GrantEntry): readonly string[] {
  const { from = 'always', until = 'no end' } = grantDays(grant);
  return [grant.grantId, organisationId, grant.pattern, from, until, narrowing(grant)];
}

/** What a grant narrows, in a few words; all of it is in the JSON. */
function narrowing(grant: Grant): string {
  const { filters, fields, lens } = grant;
  const counted = (count: number, noun: string) =>
    count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];
  const { period, dimensions, addressComponents, relatedAddressComponents } = lens;
  const parts = [
    ...counted(filters.length, 'filter'),
    ...counted(fields?.length ?? 0, 'field'),
    ...(Object.keys(period).length === 0 ? [] : [`${period.start ?? ''}/${period.end ?? ''}`]),
    ...counted(addressComponents.length + relatedAddressComponents.length, 'component'),
    ...counted(dimensions.length, 'dimension'),
    ...counted(lens.features.length + lens.relatedFeatures.length, 'feature'),
    ...(grant.showsSmallCells ? ['small cells too'] : []),
    ...(grant.liftsDefaultFilters ? ['default filters lifted'] : []),
  ];
  return parts.length === 0 ? 'all of it' : parts.join(', ');
}
