import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { formatCount } from '../format/numbers.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { isLargeList, usesUpRows } from './looking.ts';
import { useSession } from './session-context.tsx';

type CostOfLook = UseQueryOptions<number, Error, number, string[]>;

/** Whether something can be read, or else the question whether it should be. */
export type Look = { readonly isOn: boolean; readonly question: ReactNode };

const ON: Look = { isOn: true, question: undefined };

/**
 * Says how many rows a list costs before it is read, if these are many for the organisation. The answer counts for every list
 * in its place that costs no more. Nothing is asked for if the list cannot be large.
 */
export function useLook({
  what,
  most,
  cost,
}: {
  /** The list, as the object of 'Show'. */
  readonly what: string;
  /** The list cannot cost more rows. */
  readonly most: number;
  /** Asks for the rows that it costs. */
  readonly cost: CostOfLook;
}): Look {
  const { caller } = useSession();
  const [agreed, setAgreed] = useState(0);
  const isLarge = isLargeList(caller, most);
  const { data, error } = useQuery({ ...cost, enabled: isLarge });
  // If the cost cannot be read, the list cannot either, and says why.
  if (!isLarge || error !== null) return ON;
  if (data === undefined) return { isOn: false, question: undefined };
  if (data <= agreed || !isLargeList(caller, data)) return ON;
  return {
    isOn: false,
    question: (
      <Notice
        kind="info"
        title={`To show ${what} costs about ${formatCount(data)} rows.`}
        actions={<Button onPress={() => setAgreed(data)}>Show {what}</Button>}
      >
        {usesUpRows(caller)
          ? 'They are taken from the limits of your organisation.'
          : 'They are rows that your organisation may look at besides its limits.'}{' '}
        The page “Usage” says how many are left.
      </Notice>
    ),
  };
}
