import type { DataReference } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { landQuery, smallMapQuery } from '../../data/small-map-queries.ts';
import { useSession } from '../../session/session-context.tsx';
import styles from './small-map.module.css';

/** Dots on land: where the records are. */
export function SmallMapPicture({ reference }: { readonly reference: DataReference }) {
  const { data: land } = useQuery(landQuery());
  const { data, error } = useQuery(smallMapQuery(useSession(), reference.name, reference.version));
  if (error !== null) return <span>The small map could not be read.</span>;
  if (data === undefined || land === undefined) return null;
  const [west, north, width, height] = data.view;
  const most = Math.log1p(Math.max(1, ...data.dots.map(({ count }) => count)));
  return (
    <svg viewBox={`0 0 ${WIDTH} ${WIDTH / 2}`} aria-hidden="true">
      {[-1, 0, 1].map((world) => (
        <path
          key={world}
          className={styles.land}
          d={land}
          transform={`scale(${WIDTH / width}) translate(${world - west} ${-north})`}
        />
      ))}
      <g className={styles.dots}>
        {data.dots.map(({ x, y, count }) => (
          <circle
            key={`${x} ${y}`}
            cx={((x - west) / width) * WIDTH}
            cy={((y - north) / height) * (WIDTH / 2)}
            r={2.2}
            opacity={0.35 + 0.65 * (Math.log1p(count) / most)}
          />
        ))}
      </g>
    </svg>
  );
}

const WIDTH = 400;
