import type { ChangedOrganisation } from '../../auth/organisations.ts';
import type { RequiredTexts, Run, Switches, Texts } from '../../cli/define-command.ts';
import { jsonLine, type Output, printList } from '../../cli/output.ts';
import { withNewStore, withStore } from '../../compose/open-data.ts';
import { toOrganisationAnswer, toTime } from '../../encoding/control-entries.ts';

export const createOrganisationAction: Run<RequiredTexts<'name'> & Texts<'id'>> = async (
  output,
  { name, settings, id, json },
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

export const listOrganisationsAction: Run<Switches<'ids'>> = async (
  output,
  { settings, ids, json },
) => {
  const organisations = (
    await withStore({ settings, output }, (store) => store.listOrganisations())
  ).map(toOrganisationAnswer);
  if (ids) {
    output.data(organisations.map(({ id }) => `${id}\n`).join(''));
    return;
  }
  printList(output, {
    json,
    answer: { organisations },
    none: 'There are no organisations. Create one: locmetrics org create NAME',
    columns: ['ID', 'NAME', 'CREATED', 'SUSPENDED'],
    rows: organisations.map(({ id, name, created, suspended }) => [
      ...[id, name, created],
      suspended ?? 'no',
    ]),
  });
};

export const suspendOrganisationAction: Run<RequiredTexts<'org'>> = async (
  output,
  { org: id, settings, json },
) => {
  const organisation = await withStore({ settings, output }, (store) =>
    store.suspendOrganisation(id),
  );
  printChange(output, organisation, {
    json,
    text: organisation.hasChanged
      ? `Suspended the organisation ${id}. All its tokens are refused from the next request on.`
      : `The organisation ${id} has been suspended since ${toTime(organisation.suspended)}.`,
  });
  if (!json) output.messages(`To accept its tokens again: locmetrics org resume ${id}\n`);
};

export const resumeOrganisationAction: Run<RequiredTexts<'org'>> = async (
  output,
  { org: id, settings, json },
) => {
  const organisation = await withStore({ settings, output }, (store) =>
    store.resumeOrganisation(id),
  );
  printChange(output, organisation, {
    json,
    text: organisation.hasChanged
      ? `Resumed the organisation ${id}. Its tokens are accepted from the next request on.`
      : `The organisation ${id} is not suspended.`,
  });
};

function printChange(
  output: Output,
  organisation: ChangedOrganisation,
  { json, text }: { readonly json: boolean | undefined; readonly text: string },
): void {
  output.data(json ? jsonLine(toOrganisationAnswer(organisation)) : `${text}\n`);
}
