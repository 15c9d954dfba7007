import type { DataReference } from '@locmetrics/client';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { formatCount } from '../../format/numbers.ts';
import { isLargeLook } from '../../session/looking.ts';
import { useSession } from '../../session/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './small-map.module.css';

const SmallMapPicture = lazy(async () => ({
  default: (await import('./small-map-picture.tsx')).SmallMapPicture,
}));

/** The most cells that four tiles have. */
const COST_MAX = 4 * 64 * 64;

/** The points of a dataset at a glance, which opens the map. If it uses up rows, or many of those to look at, it is read only if asked for. */
export function SmallMap({ reference }: { readonly reference: DataReference }) {
  const { caller } = useSession();
  const cost = Math.min(COST_MAX, reference.rowCount);
  const [isShown, setShown] = useState(!isLargeLook(caller, cost));
  if (!isShown) {
    return (
      <div className={styles.map}>
        <div className={styles.ask}>
          <Button size="small" onPress={() => setShown(true)}>
            Show a small map
          </Button>
          It costs up to {formatCount(cost)} rows.
        </div>
      </div>
    );
  }
  return (
    <Link
      to="/datasets/$dataset/map"
      params={{ dataset: reference.name }}
      search={{}}
      className={styles.map}
      aria-label={`Open the map of ${reference.dataListingDisplayName}`}
    >
      <Suspense>
        <SmallMapPicture reference={reference} />
      </Suspense>
    </Link>
  );
}
