import type { MetricView } from '../../data/metric-view.ts';
import { measureWords, type Parts } from './aggregation.ts';
import { groupWord } from './list-controls.tsx';
import type { Against } from './period-against.ts';
import type { Stretch } from './spans.ts';

/** What the list and the map show, as a sentence: Visits in July 2023, compared with July 2022. */
export function viewSentence({
  parts,
  aggregation,
  stretch,
  against,
}: {
  readonly parts: Parts;
  readonly aggregation: NonNullable<MetricView['aggregate']>;
  readonly stretch: Stretch | undefined;
  readonly against: Against;
}): string {
  const { metric, group, span } = parts;
  const by = group === undefined ? '' : ` by ${groupWord(metric, group)}`;
  const when =
    stretch === undefined || span === 'all'
      ? ''
      : `${isDays(stretch) ? ', ' : ' in '}${stretch.label}`;
  const whole = span === 'all' && stretch !== undefined ? `, ${stretch.label}` : '';
  const than = against.kind === 'none' ? '' : `, compared with ${against.stretch.label}`;
  return `${measureWords(aggregation, parts)}${by}${when}${whole}${than}`;
}

/** What the changes are, as a title: Visits: change from July 2022 to July 2023. */
export function changeSentence({
  parts,
  aggregation,
  stretch,
  against,
}: Parameters<typeof viewSentence>[0]): string {
  const than = against.kind === 'none' ? '' : ` from ${against.stretch.label}`;
  return `${measureWords(aggregation, parts)}: change${than} to ${stretch?.label}`;
}

/** Whether a stretch is named by days: a day, or from one to another. */
function isDays({ label }: Stretch): boolean {
  return label.includes(',') || label.includes('–');
}
