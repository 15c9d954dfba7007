import { useState } from 'react';
import { Button, ComboBox, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { ComboInput } from './combo-input.tsx';
import styles from './field.module.css';
import pickerStyles from './search-picker.module.css';

export type PickerItem = {
  readonly id: string;
  readonly label: string;
  /** A second, weaker text, such as the id or the state of a place. */
  readonly detail?: string | undefined;
};

/** Finds one thing among many by typing a part of its name. The search itself is its parent's. */
export function SearchPicker({
  label,
  placeholder = '',
  items,
  isSearching,
  empty,
  onText,
  onPick,
}: {
  readonly label: string;
  readonly placeholder?: string;
  /** The items that match the text; while a search runs, those that matched the text before it. */
  readonly items: readonly PickerItem[];
  readonly isSearching: boolean;
  /** Shown if nothing matches. */
  readonly empty: string;
  readonly onText: (text: string) => void;
  readonly onPick: (id: string) => void;
}) {
  const [text, setText] = useState('');
  // A new field after each pick: emptying the text of the same one would open its list again.
  const [picks, setPicks] = useState(0);
  const change = (next: string): void => {
    setText(next);
    onText(next);
  };
  return (
    <ComboBox
      key={picks}
      autoFocus={picks > 0}
      className={styles.field ?? ''}
      items={isSearching ? items.filter((item) => isMatch(item, text)) : items}
      inputValue={text}
      onInputChange={change}
      value={null}
      onChange={(key) => {
        change('');
        // Escape, or leaving the field: nothing was picked.
        if (key === null) return;
        setPicks(picks + 1);
        onPick(String(key));
      }}
      // The items are those that match already.
      defaultFilter={() => true}
      allowsEmptyCollection
    >
      <Label className={styles.label}>{label}</Label>
      <div className={pickerStyles.group}>
        <ComboInput
          className={`${styles.input} ${pickerStyles.input}`}
          placeholder={placeholder}
          opensOnPress={false}
        />
        <Button className={pickerStyles.open ?? ''} aria-label={`Show the list: ${label}`}>
          <span aria-hidden="true">▾</span>
        </Button>
      </div>
      <Popover className={styles.popover ?? ''}>
        <ListBox
          className={styles.list ?? ''}
          renderEmptyState={() => (
            <p className={styles.empty}>{isSearching ? 'Searching…' : empty}</p>
          )}
        >
          {(item: PickerItem) => (
            <ListBoxItem id={item.id} textValue={item.label} className={styles.option ?? ''}>
              {/* Without slots, so that the name of the option is all of its text (WCAG 2.5.3). */}
              {item.label}{' '}
              {item.detail !== undefined && (
                <span className={pickerStyles.detail}>{item.detail}</span>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

function isMatch({ label, detail = '' }: PickerItem, text: string): boolean {
  return `${label} ${detail}`.toLowerCase().includes(text.trim().toLowerCase());
}
