import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useDeferredValue, useMemo } from 'react';
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  ListLayout,
  Modal,
  ModalOverlay,
  SearchField,
  Virtualizer,
} from 'react-aria-components';
import { datasetsQuery } from '../../data/dataset-queries.ts';
import {
  catalogMetricsQuery,
  findPlacesQuery,
  placeSources,
  SOURCES_AT_ONCE,
} from '../../data/find-queries.ts';
import { formatCount } from '../../format/numbers.ts';
import { useSession } from '../../session/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useDelayed } from '../../ui/use-delayed.ts';
import styles from './find-dialog.module.css';
import { findThings, type Group, type Thing, toPlace } from './find-things.ts';

/** Finds a dataset, a metric, a field or a place by its name, and opens it. */
export function FindDialog({
  text,
  onText,
  onOpen,
  onClose,
}: {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Something was chosen, and is opened. */
  readonly onOpen: () => void;
  readonly onClose: () => void;
}) {
  const { groups, shown, firstOf, problem, status, more } = useFound(text);
  const layout = useMemo(() => new ListLayout({ rowHeight: ROW, headingHeight: HEADING }), []);
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      className={styles.overlay ?? ''}
    >
      <Modal className={styles.modal ?? ''}>
        <Dialog aria-label="Find" className={styles.dialog ?? ''}>
          <Autocomplete inputValue={text} onInputChange={onText}>
            <SearchField autoFocus aria-label={LABEL} className={styles.field ?? ''}>
              <Input
                className={styles.input ?? ''}
                placeholder={LABEL}
                onKeyDownCapture={(event) => {
                  const { key, nativeEvent, currentTarget } = event;
                  if (key !== 'Enter' || nativeEvent.isComposing) return;
                  // The list marks its first thing with the next key only, if a text was there before it.
                  const isMarked = currentTarget.hasAttribute('aria-activedescendant');
                  if (isMarked && currentTarget.value === shown) return;
                  event.stopPropagation();
                  const href = firstOf(currentTarget.value)?.href;
                  if (href === undefined) return;
                  location.assign(href);
                  onOpen();
                }}
              />
            </SearchField>
            <Virtualizer layout={layout}>
              <ListBox
                aria-label="Found"
                className={styles.list ?? ''}
                items={groups}
                selectionMode="none"
                onAction={onOpen}
                renderEmptyState={() => <p className={styles.empty}>{status}</p>}
              >
                {(group: Group) => (
                  <ListBoxSection id={group.name}>
                    <Header className={styles.heading ?? ''}>
                      {group.name}{' '}
                      <span className={styles.count}>{formatCount(group.things.length)}</span>
                    </Header>
                    {group.things.map((thing) => (
                      <FoundThing key={thing.id} thing={thing} />
                    ))}
                  </ListBoxSection>
                )}
              </ListBox>
            </Virtualizer>
          </Autocomplete>
          {problem !== null && <Problem error={problem} />}
          <p className={styles.status} role="status">
            {groups.length > 0 && status}
          </p>
          {more !== undefined && (
            <Button size="small" className={styles.more ?? ''} onPress={more.search}>
              Search {formatCount(more.count)} more {more.count === 1 ? 'source' : 'sources'}
            </Button>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

export const LABEL = 'Find datasets, metrics, fields and places';
const ROW = 52;
const HEADING = 34;

function FoundThing({ thing }: { readonly thing: Thing }) {
  const { id, name, detail, href } = thing;
  return (
    <ListBoxItem id={id} href={href} textValue={`${name} ${detail}`} className={styles.thing ?? ''}>
      {/* Names of any direction: each line finds its own. */}
      <span className={styles.name} dir="auto">
        {name}
      </span>
      <span className={styles.detail} dir="auto">
        {detail}
      </span>
    </ListBoxItem>
  );
}

/** A shorter text matches too many places to be worth their rows. */
const PLACE_TEXT_MIN = 3;

/** What matches a text, by kind, and a sentence about it. */
function useFound(text: string): {
  readonly groups: readonly Group[];
  /** The text that the groups are of. A slow page draws them later than the text that was typed. */
  readonly shown: string;
  /** The first thing for a text that was just typed. */
  readonly firstOf: (typed: string) => Thing | undefined;
  readonly problem: Error | null;
  readonly status: string;
  /** Searches the next sources of places; absent if there are none. */
  readonly more: { readonly count: number; readonly search: () => void } | undefined;
} {
  const session = useSession();
  const { dataset } = useParams({ strict: false });
  const datasets = useQuery(datasetsQuery(session));
  const canSeeMetrics = session.caller.scopes.includes('metrics');
  const metrics = useQuery({ ...catalogMetricsQuery(session), enabled: canSeeMetrics });
  const known = useMemo(
    () => ({
      datasets: datasets.data ?? [],
      metrics: (metrics.data ?? []).flatMap((one) => one.metrics),
    }),
    [datasets.data, metrics.data],
  );
  const shown = useDeferredValue(text);
  const things = useMemo(() => findThings(known, shown), [known, shown]);
  const placeText = useDelayed(text.trim(), 400);
  const sources = useMemo(() => placeSources(known, dataset), [known, dataset]);
  const isPlaceText = placeText.length >= PLACE_TEXT_MIN && sources.length > 0;
  const isOpening = datasets.isPending || (canSeeMetrics && metrics.isPending);
  const places = useInfiniteQuery({
    ...findPlacesQuery(session, { text: placeText, sources }),
    enabled: isPlaceText && !isOpening,
  });
  const isCurrent = isPlaceText && placeText === text.trim();
  const pages = isCurrent ? (places.data?.pages ?? []) : [];
  const found = pages.flatMap((page) => page.map(toPlace));
  const searched = Math.min(sources.length, pages.length * SOURCES_AT_ONCE);
  const left = sources.length - searched;
  const isSearching =
    isOpening || (text.trim().length >= PLACE_TEXT_MIN && (!isCurrent || places.isFetching));
  const groups = found.length === 0 ? things : [...things, { name: 'Places', things: found }];
  return {
    groups,
    shown,
    firstOf: (typed) => (typed === shown ? groups : findThings(known, typed))[0]?.things[0],
    problem: datasets.error ?? metrics.error ?? (isCurrent ? places.error : null),
    status: statusOf({
      ...{ text, isSearching, searched },
      all: sources.length,
      isEmpty: things.length + found.length === 0,
    }),
    more:
      isSearching || pages.length === 0 || left === 0
        ? undefined
        : {
            count: Math.min(SOURCES_AT_ONCE, left),
            search: () => void places.fetchNextPage(),
          },
  };
}

function statusOf({
  text,
  isSearching,
  searched,
  all,
  isEmpty,
}: {
  readonly text: string;
  readonly isSearching: boolean;
  readonly searched: number;
  /** How many sources of places there are. */
  readonly all: number;
  readonly isEmpty: boolean;
}): string {
  if (isSearching) return 'Searching…';
  const nothing = isEmpty ? `Nothing matches “${text}”. ` : '';
  if (text.trim().length < PLACE_TEXT_MIN) {
    return `${nothing}Type three letters to find places too.`;
  }
  return searched < all
    ? `${nothing}Places were searched in ${searched} of ${all} layers and datasets.`
    : nothing;
}
