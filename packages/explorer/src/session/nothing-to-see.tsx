import type { ReactNode } from 'react';
import { Notice } from '../ui/notice.tsx';
import { useSession } from './session-context.tsx';

/** Says that the caller sees nothing of a kind. Administrators get the reasons; customers are sent to the owner. */
export function NothingToSee({
  what,
  children,
}: {
  readonly what: 'dataset' | 'metric';
  /** The reasons, with what an administrator can do. */
  readonly children: ReactNode;
}) {
  const { caller } = useSession();
  return (
    <Notice kind="info" title={`There is no ${what} here that you may see.`}>
      {caller.scopes.includes('admin')
        ? children
        : `Ask the owner of the data to give ${caller.organisationName} access.`}
    </Notice>
  );
}
