import { Button } from '../../ui/button.tsx';
import styles from './map-buttons.module.css';

/** Zoom for those without a wheel, and the way back to all records. */
export function MapButtons({
  onZoom,
  onFit,
  fitLabel = 'Show all records',
}: {
  readonly onZoom: (steps: number) => void;
  readonly onFit: (() => void) | undefined;
  readonly fitLabel?: string;
}) {
  return (
    <fieldset className={styles.buttons} aria-label="Zoom">
      <Button aria-label="Zoom in" className={styles.button ?? ''} onPress={() => onZoom(1)}>
        <span aria-hidden="true">+</span>
      </Button>
      <Button aria-label="Zoom out" className={styles.button ?? ''} onPress={() => onZoom(-1)}>
        <span aria-hidden="true">−</span>
      </Button>
      {onFit !== undefined && (
        <Button aria-label={fitLabel} className={styles.button ?? ''} onPress={onFit}>
          <span aria-hidden="true">⤢</span>
        </Button>
      )}
    </fieldset>
  );
}
