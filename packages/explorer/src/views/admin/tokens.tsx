import type { Organisation, Token } from '@locmetrics/client/admin';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tokensQuery } from '../../data/admin-queries.ts';
import { formatAgo, formatTime } from '../../format/dates.ts';
import { useSession } from '../../session/session-context.tsx';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Tag } from '../../ui/tag.tsx';
import styles from './admin.module.css';
import { useAnnounce } from './announce.tsx';
import { CreateToken } from './create-token.tsx';
import { RotateToken } from './rotate-token.tsx';
import { type NewToken, TokenText } from './token-text.tsx';
import { useAdmin, useChange } from './use-admin.ts';

type Asked =
  | { readonly kind: 'create' }
  | { readonly kind: 'rotate' | 'revoke'; readonly token: Token };

/** The tokens of an organisation: create, rotate, revoke. */
export function Tokens({ organisation }: { readonly organisation: Organisation }) {
  const { caller } = useSession();
  const { data, error, refetch } = useQuery(tokensQuery(useAdmin(), organisation.id));
  const [asked, setAsked] = useState<Asked>();
  const [created, setCreated] = useState<NewToken>();
  const close = (): void => setAsked(undefined);
  const columns: readonly Column<Token>[] = [
    {
      id: 'name',
      header: 'Token',
      cell: ({ name, tokenId }) => (
        <>
          {name} {tokenId === caller.tokenId && <Tag kind="accent">this one</Tag>}
          <div>
            <code>{tokenId}</code>
          </div>
        </>
      ),
    },
    {
      id: 'scopes',
      header: 'Scopes',
      cell: ({ scopes }) => (
        <span className={styles.tags}>
          {scopes.map((scope) => (
            <Tag key={scope} kind={scope === 'admin' ? 'warning' : 'plain'}>
              {scope}
            </Tag>
          ))}
        </span>
      ),
    },
    { id: 'state', header: 'State', cell: (token) => <TokenState token={token} /> },
    {
      id: 'created',
      header: 'Created',
      cell: ({ created: time }) => <span title={formatTime(time)}>{formatAgo(time)}</span>,
    },
    {
      id: 'used',
      header: 'Last used',
      cell: ({ lastUsed }) =>
        lastUsed === null ? (
          'never'
        ) : (
          <span title={formatTime(lastUsed)}>{formatAgo(lastUsed)}</span>
        ),
    },
    {
      id: 'actions',
      isOfActions: true,
      header: <span className="visually-hidden">Actions</span>,
      cell: (token) =>
        token.state === 'active' && (
          <span className={styles.actions}>
            {token.replacedBy === null && (
              <Button
                size="small"
                aria-label={`Rotate ${token.name}`}
                onPress={() => setAsked({ kind: 'rotate', token })}
              >
                Rotate
              </Button>
            )}
            <Button
              size="small"
              kind="danger"
              aria-label={`Revoke ${token.name}`}
              onPress={() => setAsked({ kind: 'revoke', token })}
            >
              Revoke
            </Button>
          </span>
        ),
    },
  ];
  return (
    <section className={styles.part} aria-label="Tokens">
      <div className={styles.heading}>
        <h2>Tokens</h2>
        <Button onPress={() => setAsked({ kind: 'create' })}>Create token</Button>
      </div>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the tokens" />}
      {data !== undefined && (
        <DataTable
          caption={`Tokens of ${organisation.name}`}
          columns={columns}
          rows={data}
          rowKey={({ tokenId }) => tokenId}
          empty="It has no token yet. Give each program its own token."
        />
      )}
      {asked?.kind === 'create' && (
        <CreateToken organisation={organisation} onCreated={setCreated} onClose={close} />
      )}
      {asked?.kind === 'rotate' && (
        <RotateToken token={asked.token} onCreated={setCreated} onClose={close} />
      )}
      {asked?.kind === 'revoke' && (
        <RevokeToken token={asked.token} organisation={organisation} onClose={close} />
      )}
      {created !== undefined && (
        <TokenText created={created} onClose={() => setCreated(undefined)} />
      )}
    </section>
  );
}

function TokenState({ token: { state, expires, revoked, replacedBy } }: { readonly token: Token }) {
  switch (state) {
    case 'revoked':
      return <Tag kind="danger">{`revoked ${revoked === null ? '' : formatAgo(revoked)}`}</Tag>;
    case 'expired':
      return <Tag>{`expired ${expires === null ? '' : formatAgo(expires)}`}</Tag>;
    case 'active':
      return (
        <span title={expires === null ? undefined : formatTime(expires)}>
          <Tag kind="good">active</Tag>{' '}
          {expires === null ? 'does not expire' : `expires ${formatAgo(expires)}`}
          {replacedBy !== null && (
            <div>
              replaced by <code>{replacedBy}</code>
            </div>
          )}
        </span>
      );
  }
}

function RevokeToken({
  token: { tokenId, name },
  organisation,
  onClose,
}: {
  readonly token: Token;
  readonly organisation: Organisation;
  readonly onClose: () => void;
}) {
  const { caller } = useSession();
  const change = useChange();
  const announce = useAnnounce();
  return (
    <AskDialog
      title={`Revoke the token ${name}?`}
      action="Revoke"
      isDangerous
      onClose={onClose}
      onSubmit={async () => {
        await change((admin) => admin.revokeToken({ tokenId }));
        announce(`The token ${name} of ${organisation.name} is revoked.`);
      }}
    >
      <p>
        The token <strong>{name}</strong> (<code>{tokenId}</code>) of {organisation.name} stops
        working with the next request. This cannot be undone.
      </p>
      {tokenId === caller.tokenId && (
        <p>
          <strong>You are signed in with it:</strong> you will be signed out.
        </p>
      )}
    </AskDialog>
  );
}
