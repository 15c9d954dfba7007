import { Button } from '../../ui/button.tsx';
import styles from './map-panel.module.css';

/** The two ways to make a box: by drawing, and without a mouse from what is in view. */
export function BoxButtons({
  isDrawing,
  onDraw,
  onView,
}: {
  readonly isDrawing: boolean;
  readonly onDraw: () => void;
  /** Absent until the view is known: the button waits for it in its place. */
  readonly onView: (() => void) | undefined;
}) {
  return (
    <div className={styles.buttons}>
      <Button aria-pressed={isDrawing} onPress={onDraw}>
        {isDrawing ? 'Stop drawing' : 'Draw a box'}
      </Button>
      <Button isDisabled={onView === undefined} onPress={() => onView?.()}>
        Use this view as the box
      </Button>
    </div>
  );
}
