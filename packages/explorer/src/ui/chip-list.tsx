import { useEffect, useRef } from 'react';
import { Chip } from './chip.tsx';
import styles from './chip-list.module.css';

/** Something chosen that can be taken away. With a colour, it is the legend of that colour too. */
export type ChipItem = {
  readonly id: string;
  readonly text: string;
  readonly title: string;
  /** A colour of the theme in CSS, such as `var(--series-1)`. */
  readonly colour?: string;
  readonly removeLabel: string;
};

/** Chosen things, each with a button that takes it away. The focus then moves to the next one. */
export function ChipList<One extends ChipItem>({
  label,
  chips,
  isSuggested = false,
  onRemove,
}: {
  readonly label: string;
  readonly chips: readonly One[];
  /** Chosen by the page, not by the reader. */
  readonly isSuggested?: boolean;
  readonly onRemove: (chip: One) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  const removed = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves when the chips have changed
  useEffect(() => {
    if (removed.current === undefined) return;
    const buttons = list.current?.querySelectorAll('button') ?? [];
    const next = buttons[Math.min(removed.current, buttons.length - 1)];
    (next ?? document.getElementById('content'))?.focus();
    removed.current = undefined;
  }, [chips.map(({ id }) => id).join('\n')]);
  return (
    <ul ref={list} className={styles.chips} aria-label={label} hidden={chips.length === 0}>
      {chips.map((chip, index) => (
        <Chip
          key={chip.id}
          title={chip.title}
          colour={chip.colour}
          isSuggested={isSuggested}
          removeLabel={chip.removeLabel}
          onRemove={() => {
            removed.current = index;
            onRemove(chip);
          }}
        >
          {chip.text}
        </Chip>
      ))}
    </ul>
  );
}
