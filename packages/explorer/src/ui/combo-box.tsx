import { type ReactNode, useEffect, useRef, useState } from 'react';
import {
  ComboBox as AriaComboBox,
  Button,
  FieldError,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from 'react-aria-components';
import styles from './combo-box.module.css';
import { ComboInput } from './combo-input.tsx';
import field from './field.module.css';

export type ComboItem = {
  /** The text that the input gets when the item is chosen. */
  readonly text: string;
  readonly note?: string | undefined;
};

/** An input with a list of what it could be. The caller narrows the items to the input. */
export function ComboBox({
  label,
  items,
  input,
  onInput,
  onChoose,
  empty,
  more,
  description,
  isFree = false,
  isList = false,
  isRequired = false,
  autoFocus = false,
  opensOnFocus = true,
  onEnter,
  onPasteLines,
  onLeave,
}: {
  readonly label: string;
  readonly items: readonly ComboItem[];
  readonly input: string;
  readonly onInput: (input: string) => void;
  readonly onChoose: (text: string) => void;
  /** Shown in place of items if there are none. */
  readonly empty: ReactNode;
  /** Shown below the items, for example that there are more. */
  readonly more?: string | undefined;
  readonly description?: string | undefined;
  /** Whether a text that is no item is taken too. */
  readonly isFree?: boolean;
  /** Whether several are chosen, one after the other. */
  readonly isList?: boolean;
  readonly isRequired?: boolean;
  readonly autoFocus?: boolean;
  /** Whether the list opens with the focus; otherwise with the first key. */
  readonly opensOnFocus?: boolean;
  /** Enter was pressed on the text itself, not on an item. */
  readonly onEnter?: () => void;
  /** Several lines were pasted; without it they become one. */
  readonly onPasteLines?: (lines: readonly string[]) => void;
  readonly onLeave?: () => void;
}) {
  // A chosen item closes the list, until the text is another one.
  const [chosen, setChosen] = useState<string | null>(null);
  // Enter and Tab take an item that the keys went to, not one that happens to be below the pointer.
  const isByArrow = useRef(false);
  // One of several can be taken out and chosen again.
  useEffect(() => {
    if (isList && chosen !== null) setChosen(null);
  }, [isList, chosen]);
  return (
    <AriaComboBox
      className={field.field ?? ''}
      items={items}
      inputValue={input}
      onInputChange={(next) => {
        if (next !== chosen) setChosen(null);
        onInput(next);
      }}
      selectedKey={chosen}
      onSelectionChange={(key) => {
        if (key === null) return;
        setChosen(String(key));
        onChoose(String(key));
      }}
      allowsCustomValue={isFree}
      allowsEmptyCollection
      menuTrigger={opensOnFocus ? 'focus' : 'input'}
      isRequired={isRequired}
      autoFocus={autoFocus}
      {...(onLeave === undefined ? {} : { onBlur: onLeave })}
    >
      <Label className={field.label ?? ''}>{label}</Label>
      <div className={styles.box}>
        <ComboInput
          className={field.input ?? ''}
          opensOnPress={opensOnFocus}
          onKeyDownCapture={(event) => {
            if (onEnter === undefined) return;
            const isOnItem =
              isByArrow.current && event.currentTarget.hasAttribute('aria-activedescendant');
            isByArrow.current = event.key === 'ArrowDown' || event.key === 'ArrowUp';
            if ((event.key !== 'Enter' && event.key !== 'Tab') || isOnItem) return;
            event.stopPropagation();
            if (event.key === 'Tab') return;
            event.preventDefault();
            onEnter();
          }}
          onPaste={(event) => {
            const lines = event.clipboardData.getData('text').split(/\r?\n/);
            if (lines.length === 1 || onPasteLines === undefined) return;
            event.preventDefault();
            onPasteLines(lines);
          }}
        />
        <Button className={styles.arrow ?? ''}>
          <span aria-hidden="true">▾</span>
        </Button>
      </div>
      {description !== undefined && (
        <Text slot="description" className={field.description ?? ''}>
          {description}
        </Text>
      )}
      <FieldError className={field.error ?? ''} />
      <Popover className={`${field.popover} ${styles.popover}`}>
        <ListBox<ComboItem>
          className={`${field.list} ${styles.list}`}
          renderEmptyState={() => <div className={field.empty}>{empty}</div>}
        >
          {({ text, note }) => (
            <ListBoxItem id={text} textValue={text} className={field.option ?? ''}>
              {/* Without slots, so that the name of the option is all of its text (WCAG 2.5.3). */}
              <span dir="auto">{text}</span>{' '}
              {note !== undefined && note !== '' && (
                <span className={styles.note} dir="auto">
                  {note}
                </span>
              )}
            </ListBoxItem>
          )}
        </ListBox>
        {more !== undefined && <div className={styles.more}>{more}</div>}
      </Popover>
    </AriaComboBox>
  );
}
