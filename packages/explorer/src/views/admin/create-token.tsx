import type { Organisation } from '@locmetrics/client/admin';
import { useState } from 'react';
import { formatTime } from '../../format/dates.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Checkboxes } from '../../ui/checkboxes.tsx';
import type { Choice } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useAnnounce } from './announce.tsx';
import type { NewToken } from './token-text.tsx';
import { useChange } from './use-admin.ts';

const SCOPES: readonly Choice<string>[] = [
  { value: 'catalog', label: 'catalog: datasets, within the grants' },
  { value: 'metrics', label: 'metrics: metric values, within the grants' },
  { value: 'usage', label: 'usage of its own organisation' },
  { value: 'operate', label: 'operate: the metrics of the service' },
  { value: 'admin', label: 'admin: all of these views, for all organisations' },
];

/** Asks what a new token is for, what it may do, and for how long. */
export function CreateToken({
  organisation,
  onCreated,
  onClose,
}: {
  readonly organisation: Organisation;
  readonly onCreated: (created: NewToken) => void;
  readonly onClose: () => void;
}) {
  const change = useChange();
  const announce = useAnnounce();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>(['catalog', 'metrics', 'usage']);
  const [expiresAfter, setExpiresAfter] = useState('90d');
  return (
    <AskDialog
      title={`Create a token of ${organisation.name}`}
      action="Create"
      fields={['name', 'scopes', 'expiresAfter']}
      onClose={onClose}
      onSubmit={async () => {
        const { token, expires } = await change((admin) =>
          admin.createToken({
            organisationId: organisation.id,
            name: name.trim(),
            scopes,
            expiresAfter: expiresAfter.trim() === '' ? undefined : expiresAfter.trim(),
          }),
        );
        announce(`The token ${name.trim()} of ${organisation.name} was created.`);
        onCreated({
          name: name.trim(),
          text: token,
          note: expires === null ? 'It does not expire.' : `It works until ${formatTime(expires)}.`,
        });
      }}
    >
      <TextField
        label="Name"
        name="name"
        value={name}
        onChange={setName}
        description="What it is for, such as the program that uses it."
        placeholder="reports"
        isRequired
        autoFocus
      />
      <Checkboxes
        label="Scopes"
        name="scopes"
        choices={SCOPES}
        value={scopes}
        onChange={setScopes}
      />
      {scopes.includes('admin') && (
        <p>
          <strong>A token with admin can create any other token.</strong> Give it only to your own
          programs.
        </p>
      )}
      <TextField
        label="Expires after"
        name="expiresAfter"
        value={expiresAfter}
        onChange={setExpiresAfter}
        description="Such as 90d or 24h. Empty: it does not expire."
      />
    </AskDialog>
  );
}
