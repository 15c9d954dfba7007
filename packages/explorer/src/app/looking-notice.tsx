import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { formatCount } from '../format/numbers.ts';
import { useSession } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** Says that nothing more can be looked at besides the limits, and offers to use the rows of these. */
export function LookingNotice() {
  const { looking, caller } = useSession();
  const state = useSyncExternalStore(looking.subscribe, looking.state);
  const queries = useQueryClient();
  if (state === 'apart') return null;
  if (state === 'charged') {
    return (
      <Notice kind="info" title="What you look at now uses rows of your limits.">
        This lasts until you load the page again.
      </Notice>
    );
  }
  const { viewedRowsPerDay: ofDay, viewedRowsPerMonth: ofMonth } = caller;
  const allowed = [
    ...(ofDay === null ? [] : [`${formatCount(ofDay)} rows a day`]),
    ...(ofMonth === null ? [] : [`${formatCount(ofMonth)} rows a month`]),
  ].join(' and ');
  const useLimits = (): void => {
    looking.charge();
    void queries.refetchQueries({
      type: 'active',
      predicate: ({ state: { status } }) => status === 'error',
    });
  };
  return (
    <Notice
      kind="warning"
      title="Your organisation has looked at as many rows as it may besides its limits."
      actions={<Button onPress={useLimits}>Use rows of the limits</Button>}
    >
      It may look at {allowed} (UTC) without using them up. You can go on with rows of your limits;
      the page “Usage” says how many are left.
    </Notice>
  );
}
