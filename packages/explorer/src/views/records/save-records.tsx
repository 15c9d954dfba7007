import type { DataReference, ListRecordsResponse } from '@locmetrics/client';
import { useState } from 'react';
import { recordsCostQuery } from '../../data/cost-queries.ts';
import { type RecordsAddress, toOrder, toRecordsRequest } from '../../data/records-address.ts';
import { toBoundingBox } from '../../data/selection.ts';
import { useSession } from '../../session/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { SaveDialog } from '../saving/save-dialog.tsx';
import { recordFormats } from '../saving/save-formats.ts';

/** Saves all records that match, in the order, with the columns and from the version of the page. */
export function SaveRecords({
  reference,
  address,
  answer: { records, totalSize, version },
}: {
  readonly reference: DataReference;
  readonly address: RecordsAddress;
  readonly answer: Pick<ListRecordsResponse, 'records' | 'totalSize' | 'version'>;
}) {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const { filters, fields } = address;
  const { pageSize: _, typedValues: __, ...request } = toRecordsRequest(reference.name, address);
  return (
    <>
      <Button onPress={() => setOpen(true)} isDisabled={totalSize === 0}>
        Save all…
      </Button>
      {isOpen && (
        <SaveDialog
          title={`Save records of ${reference.dataListingDisplayName}`}
          result={{
            noun: 'record',
            name: reference.name,
            formats: recordFormats({ hasPoints: reference.options.boundingBox.available }),
            sample: records.map((record) => record.fields),
            download: (format, signal) =>
              session.client
                .streamRecords(reference.name, {
                  filters,
                  fields,
                  boundingBox: toBoundingBox(address),
                  ...toOrder(address),
                  asOf: version,
                  trackTotalHits: true,
                  signal,
                })
                .download(format),
          }}
          cost={recordsCostQuery(session, { ...request, asOf: version })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
