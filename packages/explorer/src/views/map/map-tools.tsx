import type { ReactNode } from 'react';
import type { Selection } from '../../data/selection.ts';
import { countOf } from '../../format/numbers.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { usePhone } from '../../ui/use-phone.ts';
import styles from './map-panel.module.css';

/** The tools of a map: beside it, or on a phone folded into a line above it, so that the map is in view. */
export function MapTools({
  selection,
  children,
}: {
  /** The choices that the title of the folded line names. */
  readonly selection: Selection;
  readonly children: ReactNode;
}) {
  const panel = <div className={styles.panel}>{children}</div>;
  if (!usePhone()) return panel;
  return <Disclosure title={titleOf(selection)}>{panel}</Disclosure>;
}

function titleOf({ filters = [], box }: Selection): string {
  const chosen = [
    ...(filters.length === 0 ? [] : [countOf(filters.length, 'filter')]),
    ...(box === undefined ? [] : ['a box']),
  ];
  return ['Colours, filters and box', ...chosen].join(' · ');
}
