import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useSession } from '../../session/session-context.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { TabLinks } from '../../ui/tab-links.tsx';
import styles from './admin.module.css';
import { AnnounceContext } from './announce.tsx';

/** The frame of each admin view. Without the scope it says what is missing, and asks for nothing. */
export function AdminPage({
  title,
  lead,
  above,
  actions,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly above?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { caller } = useSession();
  // A view that ends with its change says it in the next one.
  const { said: saidBefore } = useLocation().state;
  const [said, say] = useState(saidBefore ?? '');
  if (!caller.scopes.includes('admin')) {
    return (
      <Page title="Administration">
        <Notice kind="warning" title="This view is for administrators of the service.">
          The token {caller.tokenName} lacks the scope <code>admin</code>. All data that you may see
          are under <Link to="/datasets">Datasets</Link>.
        </Notice>
      </Page>
    );
  }
  return (
    <AnnounceContext value={say}>
      <Page
        title={title}
        lead={lead}
        above={above}
        actions={actions}
        tabs={
          <TabLinks
            label="Administration"
            tabs={[
              { label: 'Organisations', link: { to: '/admin/organisations' } },
              { label: 'Versions', link: { to: '/admin/versions' } },
              { label: 'Audit log', link: { to: '/admin/audit' } },
            ]}
          />
        }
      >
        <div role="status" className={said === '' ? 'visually-hidden' : styles.said}>
          {said}
        </div>
        {children}
      </Page>
    </AnnounceContext>
  );
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    readonly said?: string;
  }
}
