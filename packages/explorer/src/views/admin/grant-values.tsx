import type { AdminRequest, GrantTerms } from '@locmetrics/client/admin';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { checkedValuesQuery, grantValuesQuery } from '../../data/admin-queries.ts';
import { countOf, formatCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { ChipList } from '../../ui/chip-list.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { errorsAt } from '../../ui/field-errors.ts';
import { useDelayed } from '../../ui/use-delayed.ts';
import styles from './admin.module.css';
import { PlaceErrors } from './place-errors.tsx';
import { useAdmin } from './use-admin.ts';

const OFFERED = 20;

/** The source of the values of a list: a member of a grant of a pattern, and the name that they belong to. */
export type ValuePlace = Pick<AdminRequest<'searchGrantValues'>, 'pattern' | 'member'> & {
  readonly name: string;
};

/**
 * The values of a list of a grant, a chip each, with the number of records that have it. A value is typed, pasted (one
 * on each line) or chosen from those that are published. No text is split at a comma.
 */
export function GrantValues({
  label,
  description,
  place,
  values,
  onChange,
  checks,
  isOne = false,
}: {
  readonly label: string;
  readonly description?: string | undefined;
  readonly place: ValuePlace;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  /** A grant of these values alone, which they are checked with. Absent: they are names. */
  readonly checks?: GrantTerms | undefined;
  /** Whether a value replaces the one before. */
  readonly isOne?: boolean;
}) {
  const admin = useAdmin();
  const { data: checked, error } = useQuery({
    ...checkedValuesQuery(admin, checks ?? { pattern: place.pattern }),
    enabled: checks !== undefined && values.length > 0,
    retry: false,
  });
  const found = new Map(values.length === 0 ? [] : checked?.map((one) => [one.value, one]));
  const add = (given: readonly string[]): void => {
    const texts = given.map((text) => text.trim()).filter((text) => text !== '');
    if (texts.length > 0) onChange(isOne ? texts.slice(-1) : [...new Set([...values, ...texts])]);
  };
  const wrong = values.filter((value) => found.get(value)?.rowCount === 0);
  return (
    <div className={styles.values}>
      <NewValue label={label} description={description} place={place} chosen={values} onAdd={add} />
      <ChipList
        label={`${label} chosen`}
        chips={values.map((value) => {
          const rowCount = found.get(value)?.rowCount;
          const count = typeof rowCount === 'number' ? ` · ${formatCount(rowCount)}` : '';
          const shown = value === '' ? '(absent)' : value;
          return {
            id: value,
            text: `${shown}${count}`,
            title: shown,
            removeLabel: `Remove ${shown}`,
          };
        })}
        onRemove={({ id }) => onChange(values.filter((value) => value !== id))}
      />
      {wrong.map((value) => {
        const nearest = found.get(value)?.nearest ?? null;
        return (
          <div key={value} className={styles.misfit}>
            {`“${value}” matches nothing.`}
            {nearest !== null && (
              <>
                {' Did you mean '}
                <Button
                  size="small"
                  onPress={() =>
                    onChange([...new Set(values.map((one) => (one === value ? nearest : one)))])
                  }
                >
                  {nearest}
                </Button>
                ?
              </>
            )}
          </div>
        );
      })}
      {values.length > 0 && <PlaceErrors messages={errorsAt(error, '/grant')} />}
    </div>
  );
}

/** An input that gives its text away, and is empty again. */
function NewValue({
  label,
  description,
  place,
  chosen,
  onAdd,
}: {
  readonly label: string;
  readonly description: string | undefined;
  readonly place: ValuePlace;
  /** Values that are not offered again. */
  readonly chosen: readonly string[];
  readonly onAdd: (texts: readonly string[]) => void;
}) {
  const [text, setText] = useState('');
  // A new input after each value: emptying the same one would open its list again.
  const [{ added, hasFocus }, setAdded] = useState({ added: 0, hasFocus: false });
  const query = useDelayed(text.trim());
  const isSearched = place.name !== '' || !NAMED.includes(place.member);
  const { data, error } = useQuery({
    ...grantValuesQuery(useAdmin(), { ...place, query, pageSize: OFFERED }),
    enabled: isSearched,
    retry: false,
  });
  const offered = (isSearched ? (data ?? []) : []).filter(({ value }) => !chosen.includes(value));
  const give = (texts: readonly string[], keepsFocus: boolean): void => {
    setText('');
    setAdded({ added: added + 1, hasFocus: keepsFocus });
    onAdd(texts);
  };
  return (
    <ComboBox
      key={added}
      label={label}
      description={description}
      input={text}
      onInput={setText}
      onChoose={(value) => give([value], true)}
      onEnter={() => {
        if (text.trim() !== '') give([text], true);
      }}
      onPasteLines={(lines) => give([`${text}${lines[0] ?? ''}`, ...lines.slice(1)], true)}
      onLeave={() => {
        if (text.trim() !== '') give([text], false);
      }}
      items={offered.map(({ value, name, rowCount }) => ({
        text: value,
        note: [name, rowCount === null ? '' : countOf(rowCount, 'record')]
          .filter(Boolean)
          .join(' · '),
      }))}
      empty={emptyText(error, data !== undefined)}
      more={data?.length === OFFERED ? `${OFFERED} are shown: type to find more.` : undefined}
      isFree
      isList
      autoFocus={hasFocus}
      // The list would hide what has just been added.
      opensOnFocus={!hasFocus}
    />
  );
}

/** The members whose values belong to a name. */
const NAMED: readonly ValuePlace['member'][] = [
  'filters',
  'addressComponentFilter',
  'dimensionFilter',
  'relatedAddressComponentFilter',
];

function emptyText(error: Error | null, isRead: boolean): string {
  if (error !== null) return `No values can be offered: ${error.message}`;
  return isRead ? 'No other value contains this text.' : 'Reading the values…';
}
