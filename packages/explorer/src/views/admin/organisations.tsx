import type { Organisation } from '@locmetrics/client/admin';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { grantsQuery, organisationsQuery, tokensQuery } from '../../data/admin-queries.ts';
import type { ListAddress } from '../../data/list-address.ts';
import { formatAgo, formatTime } from '../../format/dates.ts';
import { countShown, formatCount } from '../../format/numbers.ts';
import { hasWords } from '../../format/words.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FILTERED_FROM, ListFilter } from '../../ui/list-filter.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Tag } from '../../ui/tag.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { AdminPage } from './admin-page.tsx';
import { useAdmin, useChange } from './use-admin.ts';

/** The organisations, with how many tokens and grants each has. */
export function Organisations() {
  const { find = '' } = useSearch({ from: '/admin/organisations' });
  const navigate = useNavigate({ from: '/admin/organisations' });
  const [isCreating, setCreating] = useState(false);
  return (
    <AdminPage
      title="Organisations"
      lead="A customer, or a part of your own company. A new one sees nothing until it has a grant."
      actions={
        <Button kind="primary" onPress={() => setCreating(true)}>
          Create organisation
        </Button>
      }
    >
      <List find={find} onFind={(next) => void navigate({ search: next, replace: true })} />
      {isCreating && <CreateOrganisation onClose={() => setCreating(false)} />}
    </AdminPage>
  );
}

function List({
  find,
  onFind,
}: {
  readonly find: string;
  readonly onFind: (address: ListAddress) => void;
}) {
  const admin = useAdmin();
  const { data, error, refetch } = useQuery(organisationsQuery(admin));
  const { data: tokens } = useQuery(tokensQuery(admin));
  const { data: grants } = useQuery(grantsQuery(admin));
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the organisations" />;
  const columns: readonly Column<Organisation>[] = [
    {
      id: 'name',
      header: 'Organisation',
      cell: ({ id, name }) => (
        <>
          <Link to="/admin/organisations/$organisation" params={{ organisation: id }}>
            {name}
          </Link>
          <div>
            <code>{id}</code>
          </div>
        </>
      ),
    },
    {
      id: 'state',
      header: 'State',
      cell: ({ suspended }) => <OrganisationState suspended={suspended} />,
    },
    {
      id: 'tokens',
      header: 'Active tokens',
      isNumber: true,
      cell: ({ id }) =>
        tokens === undefined
          ? '…'
          : formatCount(
              tokens.filter((one) => one.organisationId === id && one.state === 'active').length,
            ),
    },
    {
      id: 'grants',
      header: 'Grants',
      cell: ({ id }) => {
        const own = (grants ?? []).filter(
          (one) => one.organisationId === id && one.state !== 'ended',
        );
        const misfits = own.filter(({ state }) => state === 'misfit').length;
        return (
          <>
            {grants === undefined ? '…' : formatCount(own.length)}{' '}
            {misfits > 0 && <Tag kind="warning">{`${misfits} to fix`}</Tag>}
          </>
        );
      },
    },
    {
      id: 'created',
      header: 'Created',
      cell: ({ created }) => <span title={formatTime(created)}>{formatAgo(created)}</span>,
    },
  ];
  const shown = data.filter(({ id, name }) => hasWords(`${name} ${id}`, find));
  return (
    <>
      {data.length >= FILTERED_FROM && (
        <ListFilter
          what="organisations"
          by="name or id"
          text={find}
          count={countShown(shown.length, data.length, 'organisations')}
          onText={(text) => onFind(text === '' ? {} : { find: text })}
        />
      )}
      <DataTable
        caption="Organisations"
        columns={columns}
        rows={shown}
        rowKey={({ id }) => id}
        empty="Nothing matches."
      />
    </>
  );
}

/** Whether the tokens of an organisation are accepted. */
export function OrganisationState({ suspended }: { readonly suspended: string | null }) {
  return suspended === null ? (
    <Tag kind="good">active</Tag>
  ) : (
    <Tag kind="danger">{`suspended ${formatAgo(suspended)}`}</Tag>
  );
}

/** Asks for a name, and opens what was created: its next step is a grant. */
function CreateOrganisation({ onClose }: { readonly onClose: () => void }) {
  const change = useChange();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [id, setId] = useState('');
  return (
    <AskDialog
      title="Create an organisation"
      action="Create"
      fields={['name', 'id']}
      onClose={onClose}
      onSubmit={async () => {
        const request = { name: name.trim(), ...(id.trim() === '' ? {} : { id: id.trim() }) };
        const created = await change((admin) => admin.createOrganisation(request));
        await navigate({
          to: '/admin/organisations/$organisation',
          params: { organisation: created.id },
          state: { said: `${created.name} was created. It sees no data until you grant it some.` },
        });
      }}
    >
      <TextField
        label="Name"
        name="name"
        value={name}
        onChange={setName}
        placeholder="City of Somewhere"
        isRequired
        autoFocus
      />
      <TextField
        label="Id"
        name="id"
        value={id}
        onChange={setId}
        placeholder="somewhere"
        description="The billing context of its requests. Leave it empty to generate one. It cannot be changed."
      />
    </AskDialog>
  );
}
