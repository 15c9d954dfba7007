import type { Value } from '../../domain/value.ts';
import type { BatchPlan } from '../../plan/read-plan.ts';

/** The bytes of the texts, in all or by groups of ordinals: see `compileBatchBytes`. */
type QueryBytes = (
  part: BatchPlan,
  ordinals: number | undefined,
) => Promise<readonly (readonly Value[])[]>;

/** A range that is cut is divided into about so many groups. */
const GROUPS = 512;

/**
 * The ordinal before which a batch ends, so that its texts have at most as many bytes as the plan says, or it has one
 * record. Nearly all ranges need one short query, which reads the lengths of the texts.
 */
export async function endOfBatch(plan: BatchPlan, queryBytes: QueryBytes): Promise<number> {
  const { fields, from, end, textBytesMax } = plan;
  if (end - from <= 1 || fields.every(({ type }) => type !== 'string')) return end;
  const [[all] = []] = await queryBytes(plan, undefined);
  return Number(all) <= textBytesMax ? end : cutBatch(plan, queryBytes);
}

/** The same of a batch whose texts have more bytes. */
async function cutBatch(plan: BatchPlan, queryBytes: QueryBytes): Promise<number> {
  const { from, end, textBytesMax } = plan;
  const ordinals = Math.ceil((end - from) / GROUPS);
  let bytes = 0;
  for (const [group, ofGroup] of await queryBytes(plan, ordinals)) {
    bytes += Number(ofGroup);
    if (bytes <= textBytesMax) continue;
    const start = Number(group) * ordinals;
    // The groups before this one have few enough bytes.
    if (start > from) return start;
    const endOfFirst = Math.min(end, start + ordinals);
    return endOfFirst - from === 1
      ? endOfFirst
      : cutBatch({ ...plan, end: endOfFirst }, queryBytes);
  }
  return end;
}
