import type { Organisation as OrganisationEntry } from '@locmetrics/client/admin';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import {
  grantsQuery,
  organisationLimitsQuery,
  organisationsQuery,
  tokensQuery,
} from '../../data/admin-queries.ts';
import { formatTime } from '../../format/dates.ts';
import { useSession } from '../../session/session-context.tsx';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './admin.module.css';
import { AdminPage } from './admin-page.tsx';
import { useAnnounce } from './announce.tsx';
import { Grants } from './grants.tsx';
import { Limits } from './limits.tsx';
import { Preview } from './preview.tsx';
import { Tokens } from './tokens.tsx';
import { useAdmin, useChange } from './use-admin.ts';

/** One organisation: its tokens, grants and limits, and what it sees. */
export function Organisation() {
  const { organisation: id } = useParams({ from: '/admin/organisations/$organisation' });
  const { caller } = useSession();
  const isAdmin = caller.scopes.includes('admin');
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    ...organisationsQuery(useAdmin()),
    enabled: isAdmin,
  });
  const found = data?.find((one) => one.id === id);
  const areRead = useParts(id, isAdmin);
  return (
    <AdminPage
      title={found?.name ?? id}
      above={
        <>
          <Link to="/admin/organisations">Organisations</Link> / <code>{id}</code>
        </>
      }
      lead={data === undefined || found !== undefined ? createdText(found) : undefined}
      actions={found !== undefined && <Suspension organisation={found} />}
    >
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {error === null && (data === undefined || (found !== undefined && !areRead)) && (
        <Loading what="the organisation" />
      )}
      {data !== undefined && found === undefined && (
        <Notice kind="warning" title={`There is no organisation '${id}'.`}>
          Look for it among <Link to="/admin/organisations">the organisations</Link>.
        </Notice>
      )}
      {found !== undefined && areRead && (
        <div className={styles.parts}>
          {found.suspended !== null && (
            <Notice kind="warning" title={`Suspended since ${formatTime(found.suspended)}`}>
              All its tokens are refused. Tokens, grants, limits and usage are kept.
            </Notice>
          )}
          <Tokens organisation={found} />
          <Grants organisation={found} />
          <Limits organisation={found} />
          <p>
            <Link to="/admin/audit" search={{ organisation: id }}>
              Changes to {found.name}
            </Link>
          </p>
          {found.suspended === null && (
            <section className={styles.part}>
              <h2>As this organisation sees it</h2>
              <Preview organisationId={found.id} readAt={dataUpdatedAt} />
            </section>
          )}
        </div>
      )}
    </AdminPage>
  );
}

/** It has its place before it is read, so that the tabs below it do not move. */
function createdText(found: OrganisationEntry | undefined): string {
  return found === undefined ? 'Created …' : `Created ${formatTime(found.created)}.`;
}

/** Whether the parts of the view are read. They come together: a part that came later would move the buttons below it. */
function useParts(id: string, isAdmin: boolean): boolean {
  const admin = useAdmin();
  const tokens = useQuery({ ...tokensQuery(admin, id), enabled: isAdmin });
  const grants = useQuery({ ...grantsQuery(admin, id), enabled: isAdmin });
  const limits = useQuery({ ...organisationLimitsQuery(admin, id), enabled: isAdmin });
  return !tokens.isPending && !grants.isPending && !limits.isPending;
}

/** Suspends or resumes, after it said what that means. */
function Suspension({
  organisation: { id, name, suspended },
}: {
  readonly organisation: OrganisationEntry;
}) {
  const { caller } = useSession();
  const change = useChange();
  const announce = useAnnounce();
  // Kept as it was asked: the state changes before the dialog has closed.
  const [asked, setAsked] = useState<'suspend' | 'resume'>();
  const isSuspended = suspended !== null;
  // No token could resume it.
  if (!isSuspended && caller.organisationId === id) return null;
  return (
    <>
      <Button
        kind={isSuspended ? 'primary' : 'danger'}
        onPress={() => setAsked(isSuspended ? 'resume' : 'suspend')}
      >
        {isSuspended ? 'Resume' : 'Suspend'}
      </Button>
      {asked === 'resume' && (
        <AskDialog
          title={`Resume ${name}?`}
          action="Resume"
          onClose={() => setAsked(undefined)}
          onSubmit={async () => {
            await change((admin) => admin.resumeOrganisation({ organisationId: id }));
            announce(`${name} is resumed: its tokens are accepted again.`);
          }}
        >
          <p>Its tokens are accepted again, with the same grants and limits.</p>
        </AskDialog>
      )}
      {asked === 'suspend' && (
        <AskDialog
          title={`Suspend ${name}?`}
          action="Suspend"
          isDangerous
          onClose={() => setAsked(undefined)}
          onSubmit={async () => {
            await change((admin) => admin.suspendOrganisation({ organisationId: id }));
            announce(`${name} is suspended: all its tokens are refused.`);
          }}
        >
          <p>
            From the next request on, all tokens of <strong>{name}</strong> are refused, with the
            reason that the organisation is suspended.
          </p>
          <p>Nothing is removed. You can resume it at any time.</p>
        </AskDialog>
      )}
    </>
  );
}
