import type { Token } from '@locmetrics/client/admin';
import { useState } from 'react';
import { formatTime } from '../../format/dates.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useAnnounce } from './announce.tsx';
import type { NewToken } from './token-text.tsx';
import { useChange } from './use-admin.ts';

/** Makes the successor of a token; both work during the overlap. */
export function RotateToken({
  token: { tokenId, name },
  onCreated,
  onClose,
}: {
  readonly token: Token;
  readonly onCreated: (created: NewToken) => void;
  readonly onClose: () => void;
}) {
  const change = useChange();
  const announce = useAnnounce();
  const [overlap, setOverlap] = useState('24h');
  return (
    <AskDialog
      title={`Rotate the token ${name}?`}
      action="Rotate"
      fields={['overlap']}
      onClose={onClose}
      onSubmit={async () => {
        const { token, replaced } = await change((admin) =>
          admin.rotateToken({ tokenId, overlap: overlap.trim() }),
        );
        announce(`The token ${name} was rotated.`);
        onCreated({
          name,
          text: token,
          note: `The old one (${tokenId}) works until ${formatTime(replaced.expires)}.`,
        });
      }}
    >
      <p>
        A new token gets the same organisation, name and scopes. The old one (<code>{tokenId}</code>
        ) works during the overlap, so that you can replace it everywhere, and then expires.
      </p>
      <TextField
        label="Overlap"
        name="overlap"
        value={overlap}
        onChange={setOverlap}
        description="Such as 24h or 7d. After a leak: 0s."
        isRequired
        autoFocus
      />
    </AskDialog>
  );
}
