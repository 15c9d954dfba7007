import {
  type ErrorComponentProps,
  Link,
  type LinkProps,
  Outlet,
  useRouterState,
} from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useSession, useSessionStore } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { Problem } from '../ui/problem.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { FindField } from './find-field.tsx';
import { keepFocus } from './keep-focus.ts';
import { LookingNotice } from './looking-notice.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';
import styles from './shell.module.css';

/** The frame of every view: the navigation, the organisation, and whether the service answers. */
export function Shell() {
  const { caller } = useSession();
  const store = useSessionStore();
  const content = useRef<HTMLElement>(null);
  useEffect(() => (content.current === null ? undefined : keepFocus(content.current)), []);
  return (
    <>
      <Button className={styles.skip ?? ''} onPress={focusContent}>
        Skip to the content
      </Button>
      <header className={styles.bar}>
        <Link to="/datasets" className={styles.brand}>
          <img src="./icon.svg" alt="" width="24" height="24" />
          Locmetrics
        </Link>
        <nav aria-label="Main" className={styles.nav}>
          {VIEWS.filter(({ scope }) => scope === undefined || caller.scopes.includes(scope)).map(
            ({ to, label }) => (
              <Link
                key={to}
                to={to}
                className={styles.link}
                activeOptions={{ includeSearch: false }}
              >
                {label}
              </Link>
            ),
          )}
        </nav>
        <FindField />
        <div className={styles.caller}>
          <span className={styles.organisation} title={`Token ${caller.tokenName}`}>
            {caller.organisationName}
          </span>
          <SchemeSwitch />
          <Button kind="quiet" size="small" onPress={() => store.signOut()}>
            Sign out
          </Button>
        </div>
      </header>
      <main ref={content} id="content" tabIndex={-1} className={styles.content}>
        <ConnectionNotice />
        <LookingNotice />
        <NextView />
        <Outlet />
      </main>
    </>
  );
}

/** A view that needs a scope is named only to those who have it. */
const VIEWS: readonly {
  readonly to: NonNullable<LinkProps['to']>;
  readonly label: string;
  readonly scope?: string;
}[] = [
  { to: '/datasets', label: 'Datasets' },
  { to: '/metrics', label: 'Metrics' },
  { to: '/usage', label: 'Usage', scope: 'usage' },
  { to: '/admin', label: 'Admin', scope: 'admin' },
];

/** A link to a part of the page would replace the address of the view. */
function focusContent(): void {
  document.getElementById('content')?.focus();
}

/** A view that could not be drawn, for example because its address is damaged. */
export function ViewProblem({ error, reset }: ErrorComponentProps) {
  return (
    <Page title="This view could not be shown">
      <Problem error={error} onRetry={reset} />
    </Page>
  );
}

/**
 * Says that the script of the next view is on its way. The view before stays until then. A part that replaces it as long
 * as it waits would also do so for each change of the address of the same view, which would lose what is half entered.
 */
function NextView() {
  const isOnItsWay = useRouterState({
    select: ({ isLoading, location, resolvedLocation }) =>
      isLoading && location.pathname !== resolvedLocation?.pathname,
  });
  return (
    isOnItsWay && (
      <div className={styles.next}>
        <Loading what="the view" />
      </div>
    )
  );
}

export function NotFound() {
  return (
    <Page title="Page not found">
      <p>
        The link may be wrong. All data is under <Link to="/datasets">Datasets</Link>.
      </p>
    </Page>
  );
}
