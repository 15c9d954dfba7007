import { jsonLine, printList } from '../cli/print-list.ts';
import type { Action } from '../cli/program.ts';
import { withNewStore, withStore } from './open-data.ts';

export const createOrganisationAction: Action<'createOrganisation'> = async (
  output,
  name,
  { settings, id, json },
) => {
  const organisation = await withNewStore({ settings, output }, (store) =>
    store.createOrganisation({ name, ...(id === undefined ? {} : { id }) }),
  );
  if (json) {
    output.data(jsonLine({ id: organisation.id }));
    return;
  }
  output.data(`Created the organisation ${organisation.id}.\n`);
  output.messages(
    `It has no access to data yet. Add a grant: locmetrics grant add ${organisation.id} PATTERN\n`,
  );
};

export const listOrganisationsAction: Action<'listOrganisations'> = async (
  output,
  { settings, json },
) => {
  const organisations = (
    await withStore({ settings, output }, (store) => store.listOrganisations())
  ).map(({ id, name, created }) => ({ id, name, created: new Date(created).toISOString() }));
  printList(output, {
    json,
    answer: { organisations },
    none: 'There are no organisations. Create one: locmetrics org create NAME',
    columns: ['ID', 'NAME', 'CREATED'],
    rows: organisations.map(({ id, name, created }) => [id, name, created]),
  });
};
