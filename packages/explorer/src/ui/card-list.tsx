import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './cards.module.css';

/** A multiple of one to six columns nearly always: each part but the last ends with a full row. */
const PART = 24;
/** Parts this far outside of the window are drawn too, so that scrolling and the Tab key find them. */
const MARGIN = '1200px 0px';
/** The height of a card before one was measured. */
const CARD_HEIGHT = 200;

/** Cards, of which those far from the window are not drawn: a list can have thousands. */
export function CardList<Item>({
  items,
  itemKey,
  card,
}: {
  readonly items: readonly Item[];
  readonly itemKey: (item: Item) => string;
  readonly card: (item: Item) => ReactNode;
}) {
  const parts = [];
  for (let first = 0; first < items.length; first += PART) {
    parts.push(items.slice(first, first + PART));
  }
  return parts.map((part, index) => (
    <CardPart
      // The first card of a part names it: a filter moves cards between parts.
      key={part[0] === undefined ? index : itemKey(part[0])}
      count={part.length}
      isDrawnFirst={index === 0}
    >
      {() => part.map(card)}
    </CardPart>
  ));
}

function CardPart({
  count,
  isDrawnFirst,
  children,
}: {
  readonly count: number;
  readonly isDrawnFirst: boolean;
  readonly children: () => ReactNode;
}) {
  const list = useRef<HTMLUListElement>(null);
  const [isNear, setNear] = useState(isDrawnFirst);
  const [height, setHeight] = useState((count * CARD_HEIGHT) / 3);
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry === undefined) return;
        // The focus is not taken away with its card.
        const hasFocus = element.contains(document.activeElement);
        if (entry.isIntersecting) setNear(true);
        else if (!hasFocus) {
          if (element.childElementCount > 0) setHeight(entry.boundingClientRect.height);
          setNear(false);
        }
      },
      { rootMargin: MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <ul
      ref={list}
      className={styles.cards}
      {...(isNear ? {} : { style: { height }, 'aria-hidden': true })}
    >
      {isNear && children()}
    </ul>
  );
}
