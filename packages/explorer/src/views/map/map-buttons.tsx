import { useSyncExternalStore } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './map-buttons.module.css';

/** Zoom for those without a wheel, the way back to all records, and the whole screen. */
export function MapButtons({
  onZoom,
  onFit,
  fitLabel = 'Show all records',
  onSave,
  onSaveSvg,
}: {
  readonly onZoom: (steps: number) => void;
  readonly onFit: (() => void) | undefined;
  readonly fitLabel?: string;
  readonly onSave?: () => void;
  readonly onSaveSvg?: (() => void) | undefined;
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
          <span aria-hidden="true">◎</span>
        </Button>
      )}
      {document.fullscreenEnabled && <FullScreen />}
      {onSave !== undefined && (
        <Button aria-label="Save the map as PNG" className={styles.button ?? ''} onPress={onSave}>
          <Icon path={DOWNWARDS} />
        </Button>
      )}
      {onSaveSvg !== undefined && (
        <Button
          aria-label="Save the map as SVG"
          className={`${styles.button} ${styles.word}`}
          onPress={onSaveSvg}
        >
          <span aria-hidden="true">SVG</span>
        </Button>
      )}
    </fieldset>
  );
}

/** Shows the map, which is around this button, on the whole screen. */
function FullScreen() {
  const isFull = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
  return (
    <Button
      aria-label={isFull ? 'Leave full screen' : 'Full screen'}
      className={styles.button ?? ''}
      onPress={({ target }) => {
        if (isFull) void document.exitFullscreen();
        else void target.closest('section')?.requestFullscreen();
      }}
    >
      <Icon path={isFull ? INWARDS : OUTWARDS} />
    </Button>
  );
}

function Icon({ path }: { readonly path: string }) {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" strokeWidth="2" />
    </svg>
  );
}

const DOWNWARDS = 'M8 1v9M4 6.5l4 4 4-4M1 11v4h14v-4';
const OUTWARDS = 'M1 6V1h5M10 1h5v5M15 10v5h-5M6 15H1v-5';
const INWARDS = 'M6 1v5H1M15 6h-5V1M10 15v-5h5M1 10h5v5';

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
}
