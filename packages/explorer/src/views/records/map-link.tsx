import { Link } from '@tanstack/react-router';
import type { Selection } from '../../data/selection.ts';

const MAP: string = '/datasets/$dataset/map';

/** A link to the map with the same selection, at a place if one is given: longitude, latitude, zoom. */
export function MapLink({
  dataset,
  search: { filters, box },
  at,
  label,
}: {
  readonly dataset: string;
  readonly search: Selection;
  readonly at?: readonly [number, number, number];
  readonly label: string;
}) {
  const shown = { filters, box, at };
  return (
    <Link to={MAP} params={{ dataset }} search={shown}>
      {label}
    </Link>
  );
}
