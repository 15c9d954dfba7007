import { type PointerEvent, useEffect, useRef, useState } from 'react';
import styles from './box-drawing.module.css';
import type { ScreenPoint } from './box-shapes.ts';

/** Lies over the map while a box is drawn, by mouse, pen or finger. The map comes into view. */
export function BoxDrawing({
  onBox,
  onEnd,
}: {
  readonly onBox: (one: ScreenPoint, other: ScreenPoint) => void;
  /** Escape ends the drawing, wherever the focus is. */
  readonly onEnd: () => void;
}) {
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') end.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const surface = useRef<HTMLDivElement>(null);
  useEffect(() => {
    surface.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const [from, setFrom] = useState<ScreenPoint>();
  const [to, setTo] = useState<ScreenPoint>();
  const start = (event: PointerEvent): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setFrom(pointOf(event));
    setTo(pointOf(event));
  };
  const finish = (event: PointerEvent): void => {
    const last = pointOf(event);
    const isBox = from !== undefined && isFar(from, last);
    setFrom(undefined);
    if (from !== undefined && isBox) onBox(from, last);
  };
  return (
    <div
      ref={surface}
      className={styles.surface}
      onPointerDown={start}
      onPointerMove={(event) => setTo(pointOf(event))}
      onPointerUp={finish}
      onPointerCancel={() => setFrom(undefined)}
    >
      <p className={styles.hint}>
        Drag from one corner of the box to the other.
        <span className={styles.keyHint}> Escape ends it.</span>
      </p>
      {from !== undefined && to !== undefined && (
        <div
          className={styles.box}
          style={{
            left: Math.min(from.x, to.x),
            top: Math.min(from.y, to.y),
            width: Math.abs(from.x - to.x),
            height: Math.abs(from.y - to.y),
          }}
        />
      )}
    </div>
  );
}

function pointOf({ currentTarget, clientX, clientY }: PointerEvent): ScreenPoint {
  const { left, top } = currentTarget.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

/** A press without a movement is no box. */
function isFar(one: ScreenPoint, other: ScreenPoint): boolean {
  return Math.abs(one.x - other.x) > 4 && Math.abs(one.y - other.y) > 4;
}
