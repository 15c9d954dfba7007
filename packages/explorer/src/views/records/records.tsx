import { type DataReference, PageTokenExpiredError } from '@locmetrics/client';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { CallPanel } from '../../calls/call-panel.tsx';
import { datasetQuery } from '../../data/dataset-queries.ts';
import { recordsQuery } from '../../data/record-queries.ts';
import {
  DEFAULT_PAGE_SIZE,
  nextFurther,
  nextOrder,
  type RecordsAddress,
  toRecordsRequest,
} from '../../data/records-address.ts';
import { useSession } from '../../session/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { DatasetPage } from '../dataset/dataset-page.tsx';
import { Operators } from '../dataset/operators.tsx';
import { SelectionBar } from '../selection/selection-bar.tsx';
import { selectionProblem } from '../selection/selection-problem.ts';
import { ColumnChoice } from './column-choice.tsx';
import { FurtherOrder } from './further-order.tsx';
import { MapLink } from './map-link.tsx';
import { NoRecords } from './no-records.tsx';
import { Pager } from './pager.tsx';
import { RecordPanel } from './record-panel.tsx';
import { RecordTable } from './record-table.tsx';
import styles from './records.module.css';
import { SavePage } from './save-page.tsx';
import { SaveRecords } from './save-records.tsx';
import { Totals } from './totals.tsx';
import { useRecordPages } from './use-record-pages.ts';
import { VersionNotice } from './version-notice.tsx';

const ROUTE = '/datasets/$dataset/records';
/** How often the page asks whether a new version was published. */
const VERSION_CHECK_MS = 60_000;

/** The records of a dataset: filtered, in order, page by page, and each in full. */
export function Records() {
  const { dataset } = useParams({ from: ROUTE });
  return (
    <DatasetPage dataset={dataset}>
      {(reference) => <RecordsOf key={reference.name} reference={reference} />}
    </DatasetPage>
  );
}

function RecordsOf({ reference }: { readonly reference: DataReference }) {
  const session = useSession();
  const queries = useQueryClient();
  const address = useSearch({ from: ROUTE });
  const change = useChangeAddress();
  /** Other records: their first page, and none of them open. */
  const show = (next: Partial<RecordsAddress>): void =>
    change({ page: undefined, pageToken: undefined, record: undefined, ...next });
  const pages = useRecordPages(toRecordsRequest(reference.name, address), address, (page) =>
    change({ ...page, record: undefined }),
  );
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...recordsQuery(session, pages.request, firstNumber(pages.number, address)),
    // The page before stays until the next one is there.
    placeholderData: keepPreviousData,
  });
  useQuery({ ...datasetQuery(session, reference.name), refetchInterval: VERSION_CHECK_MS });
  const [isRestarted, setRestarted] = useState(false);

  const startAgain = (): void => {
    pages.first();
    void queries.invalidateQueries({ queryKey: ['records', reference.name] });
    void queries.invalidateQueries({ queryKey: ['dataset', reference.name] });
  };
  const hasExpired = error instanceof PageTokenExpiredError;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page that has expired
  useEffect(() => {
    if (!hasExpired) return;
    setRestarted(true);
    startAgain();
  }, [hasExpired]);

  const problem = selectionProblem(error);
  const isOfPage = address.record !== undefined && !isPlaceholderData;
  const record = isOfPage ? data?.records[(address.record ?? 0) - 1] : undefined;
  return (
    <div className={styles.view} data-wide>
      <SelectionBar
        reference={reference}
        selection={address}
        onChange={({ filters, box }) => show({ filters, box })}
        problem={problem}
        boxLink={<MapLink dataset={reference.name} search={address} label="on the map" />}
      />
      {isRestarted && (
        <Notice
          kind="warning"
          title="Back to the first page"
          actions={<Button onPress={() => setRestarted(false)}>Got it</Button>}
        >
          The version that they came from is no longer kept, or your rights have changed. This is
          the first page of what you may see now.
        </Notice>
      )}
      {data !== undefined && (
        <VersionNotice reference={reference} shown={data.version} onShowNew={startAgain} />
      )}
      {problem !== undefined && (
        <Notice kind="info">
          No records are shown until you change or remove the parts marked above.
        </Notice>
      )}
      {error !== null && problem === undefined && !hasExpired && (
        <>
          <Problem error={error} onRetry={() => void refetch()} />
          {address.pageToken !== undefined && (
            <Button onPress={pages.first}>Show the first page</Button>
          )}
          {(address.fields ?? address.order) !== undefined && (
            <Button
              onPress={() => show({ fields: undefined, order: undefined, thenBy: undefined })}
            >
              Show the columns and the order of the dataset
            </Button>
          )}
        </>
      )}
      {data === undefined && error === null && <Loading what="the records" isLarge />}
      {data !== undefined && (
        <>
          <div className={styles.tools}>
            <Totals reference={reference} answer={data} isFetching={isFetching} />
            <div className={styles.actions}>
              {address.order !== undefined && (
                <FurtherOrder
                  fields={data.fieldDefinitions}
                  ordered={address}
                  onFurther={(field) => show(nextFurther(address, field))}
                />
              )}
              <ColumnChoice
                fields={reference.fields}
                chosen={address.fields}
                onChange={(fields) => show({ fields })}
              />
              <SavePage dataset={reference.name} answer={data} firstNumber={data.firstNumber} />
              <SaveRecords reference={reference} address={address} answer={data} />
            </div>
          </div>
          <RecordTable
            caption={`Records of ${reference.dataListingDisplayName}`}
            answer={data}
            ordered={address}
            canOrder={reference.options.orderBy.available}
            onOrder={(field, isFurther) =>
              show(isFurther ? nextFurther(address, field) : nextOrder(address, field))
            }
            onOpen={(index) => {
              // The place on the page is that of another record once the next page is there.
              if (!isPlaceholderData) change({ record: index + 1 });
            }}
            firstNumber={data.firstNumber}
            isStale={isPlaceholderData}
            empty={<NoRecords reference={reference} selection={address} onChange={show} />}
          />
          <Pager
            answer={data}
            firstNumber={data.firstNumber}
            size={address.size ?? DEFAULT_PAGE_SIZE}
            isStale={isPlaceholderData}
            onNext={() => pages.next(data.nextPageToken)}
            onPrevious={pages.number === 0 ? undefined : pages.previous}
            isPreviousKnown={pages.isPreviousKnown}
            onSize={(size) => show({ size: size === DEFAULT_PAGE_SIZE ? undefined : size })}
          />
        </>
      )}
      {record !== undefined && data !== undefined && (
        <RecordPanel
          reference={reference}
          address={address}
          known={record.fields}
          version={data.version}
          onFilter={(filter) => show({ filters: [...(address.filters ?? []), filter] })}
          onClose={() => change({ record: undefined })}
        />
      )}
      <Disclosure title="The call">
        <CallPanel call={{ operation: 'listRecords', request: pages.request }} />
        <Operators reference={reference} />
      </Disclosure>
    </div>
  );
}

/** Changes parts of the address; the page stays where it is scrolled to. */
function useChangeAddress(): (change: Partial<RecordsAddress>) => void {
  const navigate = useNavigate({ from: ROUTE });
  return (change) =>
    void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false });
}

/** The number of the first record of a page, from 1. */
function firstNumber(page: number, { size = DEFAULT_PAGE_SIZE }: RecordsAddress): number {
  return page * size + 1;
}
