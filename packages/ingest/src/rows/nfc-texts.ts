import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf, textOf } from '@locmetrics/column-store/publish/result-row';
import { RECORD_TABLE } from '@locmetrics/column-store/record-table';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import { type Field, isFolded } from '@locmetrics/core/domain/field';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { escapeMarks } from '@locmetrics/core/text/nfc';
import type { FieldReading } from '../formats/field-reading.ts';
import { shownValue } from '../problems/import-error.ts';

/** The function of the engine that writes a text in NFC. */
export const NFC_FUNCTION = 'to_nfc';

/** Whether the texts of a field are written in NFC. Outlines are not compared, so they are not changed. */
export function isNormalised({ normalise }: Dataset, field: Field): boolean {
  return normalise === 'nfc' && isFolded(field);
}

/** Reads texts in NFC; `name` is that of a column for the text as it is in the file. */
export function readInNfc(reading: FieldReading, name: string): FieldReading {
  const { prepared = [], value } = reading;
  return {
    ...reading,
    prepared: [...prepared, { name, sql: value }],
    value: `CASE WHEN ${mayChange(name)} THEN ${NFC_FUNCTION}(${name}) ELSE ${name} END`,
  };
}

/** Tells of texts that are not in NFC: requests and grants with the same text in NFC do not match them. */
export async function nfcNotices(
  connection: ImportConnection,
  dataset: Dataset,
): Promise<readonly string[]> {
  const texts = dataset.fields.filter((field) => isFolded(field) && !isNormalised(dataset, field));
  if (texts.length === 0) return [];
  const columns = texts.flatMap(({ name }, index) => {
    const text = quoteIdentifier(name);
    const isOther = `CASE WHEN ${mayChange(text)} THEN ${NFC_FUNCTION}(${text}) <> ${text} END`;
    return [
      `count(*) FILTER (${isOther})::DOUBLE AS n${index}`,
      `min(${text}) FILTER (${isOther}) AS example${index}`,
    ];
  });
  const [row = {}] = await connection.list(`SELECT ${columns.join(', ')} FROM ${RECORD_TABLE}`);
  return texts.flatMap(({ name }, index) => {
    const count = numberOf(row, `n${index}`);
    if (count === 0) return [];
    const values = count === 1 ? '1 value' : `${count.toLocaleString('en-US')} values`;
    const example = shownValue(escapeMarks(textOf(row, `example${index}`)));
    return `${values} of ${name} ${count === 1 ? 'is' : 'are'} not in NFC, the composed form of Unicode, for example ${example}. Filters and grants compare exactly, so the same text in NFC does not match. To publish in NFC, declare normalise: nfc.`;
  });
}

/** All of ASCII is in NFC. */
function mayChange(text: string): string {
  return `strlen(${text}) <> length(${text})`;
}
