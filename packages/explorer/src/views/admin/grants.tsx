import type { FittedGrant, Organisation } from '@locmetrics/client/admin';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { grantsQuery } from '../../data/admin-queries.ts';
import { formatAgo, formatTime } from '../../format/dates.ts';
import { formatCount } from '../../format/numbers.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Tag } from '../../ui/tag.tsx';
import styles from './admin.module.css';
import { useAnnounce } from './announce.tsx';
import { grantSentences, patternWords } from './grant-words.ts';
import { useAdmin, useChange } from './use-admin.ts';

/** The grants of an organisation, with what each lets through and how it fits what is published. */
export function Grants({ organisation }: { readonly organisation: Organisation }) {
  const { data, error, refetch } = useQuery(grantsQuery(useAdmin(), organisation.id));
  const [removing, setRemoving] = useState<FittedGrant>();
  return (
    <section className={styles.part} aria-label="Grants">
      <div className={styles.heading}>
        <h2>Grants</h2>
        <Link
          to="/admin/organisations/$organisation/grant"
          params={{ organisation: organisation.id }}
          search={{}}
          className={styles.link}
        >
          Add a grant
        </Link>
      </div>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the grants" />}
      {data?.length === 0 && (
        <p className={styles.quiet}>It has no grant, so it sees no dataset and no metric.</p>
      )}
      {data !== undefined && data.length > 1 && (
        <p className={styles.quiet}>
          If several match the same dataset or metric, only the most specific one applies.
        </p>
      )}
      <ul className={styles.cards}>
        {data?.map((grant) => (
          <GrantCard key={grant.grantId} grant={grant} onRemove={() => setRemoving(grant)} />
        ))}
      </ul>
      {removing !== undefined && (
        <RemoveGrant
          grant={removing}
          organisation={organisation}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </section>
  );
}

function GrantCard({
  grant,
  onRemove,
}: {
  readonly grant: FittedGrant;
  readonly onRemove: () => void;
}) {
  const { pattern, grantId, created, fits } = grant;
  const problems = fits.filter(({ problems: those }) => those.length > 0);
  return (
    <li className={styles.card}>
      <div className={styles.heading}>
        <h3>
          <code>{pattern}</code> <GrantState state={grant.state} />
        </h3>
        <span className={styles.actions}>
          <Link
            to="/admin/organisations/$organisation/grant"
            params={{ organisation: grant.organisationId }}
            search={{ replaces: grantId }}
            className={styles.link}
            aria-label={`Edit the grant of ${pattern}`}
          >
            Edit
          </Link>
          <Button
            size="small"
            kind="danger"
            aria-label={`Remove the grant of ${pattern}`}
            onPress={onRemove}
          >
            Remove
          </Button>
        </span>
      </div>
      <ul className={styles.sentences}>
        {grantSentences(grant).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {problems.map(({ name, isSeen, problems: sentences }) => (
        <div key={name} className={styles.misfit}>
          <code>{name}</code>: {isSeen ? 'part of it is not visible.' : 'none of it is visible.'}{' '}
          {sentences.join(' ')}
        </div>
      ))}
      <div className={styles.quiet}>
        {fits.length > 0 && (
          <details>
            <summary>{`Names ${formatCount(fits.length)} today`}</summary>
            {fits.map(({ name }) => name).join(', ')}
          </details>
        )}
        Added <span title={formatTime(created)}>{formatAgo(created)}</span> · <code>{grantId}</code>
      </div>
    </li>
  );
}

function GrantState({ state }: { readonly state: FittedGrant['state'] }) {
  switch (state) {
    case 'fits':
      return <Tag kind="good">fits</Tag>;
    case 'misfit':
      return <Tag kind="warning">does not fit</Tag>;
    case 'names_nothing':
      return <Tag kind="warning">names nothing published</Tag>;
    case 'ended':
      return <Tag>ended</Tag>;
  }
}

function RemoveGrant({
  grant: { grantId, pattern },
  organisation,
  onClose,
}: {
  readonly grant: FittedGrant;
  readonly organisation: Organisation;
  readonly onClose: () => void;
}) {
  const change = useChange();
  const announce = useAnnounce();
  return (
    <AskDialog
      title={`Remove the grant of ${pattern}?`}
      action="Remove"
      isDangerous
      onClose={onClose}
      onSubmit={async () => {
        await change((admin) => admin.removeGrant({ grantId }));
        announce(`The grant of ${pattern} to ${organisation.name} was removed.`);
      }}
    >
      <p>
        <strong>{organisation.name}</strong> loses it with the next request: {patternWords(pattern)}
        . A less specific grant may then apply.
      </p>
    </AskDialog>
  );
}
