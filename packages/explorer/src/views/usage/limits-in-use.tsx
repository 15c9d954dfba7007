import type { LimitLeft } from '../../data/limits-left.ts';
import { formatAgo } from '../../format/dates.ts';
import { LIMIT_WORDS } from '../../format/limits.ts';
import { formatCount } from '../../format/numbers.ts';
import { usesUpRows } from '../../session/looking.ts';
import { useSession } from '../../session/session-context.tsx';
import { ShareBar } from '../../ui/share-bar.tsx';
import styles from './usage.module.css';

/** The limits of the organisation, and how much of each is used. */
export function LimitsInUse({ limits }: { readonly limits: readonly LimitLeft[] }) {
  const { caller } = useSession();
  return (
    <section className={styles.part}>
      <h2>Limits</h2>
      {limits.length === 0 ? (
        <p className={styles.quiet}>Your organisation has no limits on what it may use.</p>
      ) : (
        <ul className={styles.limits}>
          {limits.map((limit) => (
            <Limit key={limit.name} limit={limit} />
          ))}
        </ul>
      )}
      {limits.some(({ name }) => isOfRows(name)) && (
        <p className={styles.quiet}>
          {usesUpRows(caller)
            ? 'What you look at in this page counts against the limits of rows.'
            : 'What you look at in this page counts only against the rows to look at. In the operations below it ends with “:view”. Files that you save count against the other limits of rows.'}
        </p>
      )}
    </section>
  );
}

function isOfRows(name: LimitLeft['name']): boolean {
  return !['requestsPerSecond', 'burst', 'concurrentQueries'].includes(name);
}

function Limit({ limit: { name, limit, left, endsInSeconds } }: { readonly limit: LimitLeft }) {
  return (
    <li className={styles.limit}>
      <h3>{LIMIT_WORDS[name].label}</h3>
      <p className={styles.figure}>{formatCount(limit)}</p>
      {isOfRows(name) && left !== undefined ? (
        <>
          <ShareBar share={limit === 0 ? 1 : (limit - left) / limit} />
          <p>
            {formatCount(limit - left)} used, {formatCount(left)} left
          </p>
          {endsInSeconds !== undefined && (
            <p className={styles.quiet}>
              Starts again {formatAgo(Date.now() + endsInSeconds * 1000)}, at midnight UTC
            </p>
          )}
        </>
      ) : (
        <p className={styles.quiet}>{LIMIT_WORDS[name].meaning}</p>
      )}
    </li>
  );
}
