import type { ListRecordsResponse } from '@locmetrics/client';
import { CSV_TYPE, toCsv } from '../../format/csv.ts';
import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/save-file.ts';

/** Saves the records of the page, with the columns that it shows, as CSV. */
export function SavePage({
  dataset,
  answer: { records, fieldDefinitions },
  firstNumber,
}: {
  readonly dataset: string;
  readonly answer: Pick<ListRecordsResponse, 'records' | 'fieldDefinitions'>;
  readonly firstNumber: number;
}) {
  const names = fieldDefinitions.map(({ name }) => name);
  const save = (): void => {
    const rows = records.map(({ fields }) => names.map((name) => fields[name] ?? null));
    const last = firstNumber + records.length - 1;
    saveFile(`${dataset}-${firstNumber}-${last}.csv`, toCsv(names, rows), CSV_TYPE);
  };
  return (
    <Button onPress={save} isDisabled={records.length === 0}>
      Save this page as CSV
    </Button>
  );
}
