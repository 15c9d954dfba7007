import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import styles from './list-filter.module.css';
import { useDelayed } from './use-delayed.ts';

/** Fewer can be seen at once. */
export const FILTERED_FROM = 6;

/** A field that narrows a list, and how many of it are left. */
export function ListFilter({
  what,
  by = 'name or description',
  text,
  count,
  onText,
}: {
  /** In the plural: `datasets`. */
  readonly what: string;
  /** The part of an item that is searched, in words. */
  readonly by?: string;
  /** As the address has it. */
  readonly text: string;
  /** How many are left, in words. */
  readonly count: string;
  readonly onText: (text: string) => void;
}) {
  const [typed, setTyped] = useState(text);
  const delayed = useDelayed(typed);
  const router = useRouter();
  const [path] = useState(() => router.latestLocation.pathname);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed changes the address
  useEffect(() => {
    // Another view may be on its way already: its address stays.
    const isLeaving = router.latestLocation.pathname !== path;
    if (delayed !== text && !isLeaving) onText(delayed);
  }, [delayed]);
  return (
    <search className={styles.filter} aria-label={`Filter the ${what}`}>
      <input
        className={styles.input}
        aria-label={`Filter the ${what}`}
        placeholder={`Filter the ${what} by ${by}`}
        type="search"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <p role="status" className={styles.count}>
        {count}
      </p>
    </search>
  );
}
