import type { DataReference, Metric } from '@locmetrics/client';
import { defaultStringifySearch } from '@tanstack/react-router';
import type { FoundPlace } from '../../data/find-queries.ts';
import { metricHref, recordsHref } from '../../data/view-links.ts';
import { fieldTypeWord } from '../../format/fields.ts';
import { foldText } from '../../format/words.ts';

/** Something that can be found by its name, and opened. */
export type Thing = {
  readonly id: string;
  readonly name: string;
  /** A second, weaker text, such as where it belongs. */
  readonly detail: string;
  /** The address of its view. */
  readonly href: string;
};

export type Group = { readonly name: string; readonly things: readonly Thing[] };

type Known = { readonly datasets: readonly DataReference[]; readonly metrics: readonly Metric[] };

/** The datasets, metrics and fields that match a text, the best first; without a text all datasets and metrics. */
export function findThings({ datasets, metrics }: Known, text: string): readonly Group[] {
  const words = foldText(text).split(/\s+/).filter(Boolean);
  const groups: readonly Group[] = [
    { name: 'Datasets', things: bestOf(datasets.map(toDataset), words) },
    { name: 'Metrics', things: bestOf(metrics.map(toMetric), words) },
    // All fields at once say nothing.
    ...(words.length === 0
      ? []
      : [{ name: 'Fields', things: bestOf(datasets.flatMap(toFields), words) }]),
  ];
  return groups.filter(({ things }) => things.length > 0);
}

export function toPlace(place: FoundPlace): Thing {
  if (place.kind === 'name') {
    const { name, dataset, field } = place;
    const filters = [{ fieldName: field, operator: '==', value: name }];
    return {
      id: `place/${dataset.name}/${name}`,
      name,
      detail: dataset.dataListingDisplayName,
      href: recordsHref(dataset.name, { filters }),
    };
  }
  const { feature, metric } = place;
  const { featureId, name, layerId, addressComponentsList } = feature;
  const around = addressComponentsList.at(-1)?.displayName ?? '';
  const layer = metric.layer?.displayName || layerId;
  return {
    id: `place/${metric.catalogId}/${layerId}/${featureId}`,
    name: name || featureId,
    detail: [layer, around === name ? '' : around, featureId].filter(Boolean).join(' · '),
    href: metricHref({ catalogId: metric.catalogId, metricId: metric.id, featureId }),
  };
}

/** A thing with what else it is found by: its own texts, and those of what it belongs to. */
type Candidate = Thing & { readonly own: string; readonly around: string };

function toDataset(dataset: DataReference): Candidate {
  const { name, dataListingDisplayName, dataListingDescription, dataProductDisplayName } = dataset;
  return {
    id: `dataset/${name}`,
    name: dataListingDisplayName,
    detail: name,
    href: `#/datasets/${encodeURIComponent(name)}`,
    own: `${name} ${dataListingDescription}`,
    around: dataProductDisplayName,
  };
}

function toMetric({ catalogId, id, listing, description, layer }: Metric): Candidate {
  return {
    id: `metric/${catalogId}/${id}`,
    name: listing || id,
    detail: `${catalogId}/${id}`,
    href: `#/metrics/${encodeURIComponent(catalogId)}/${encodeURIComponent(id)}`,
    own: `${catalogId}/${id} ${description}`,
    around: layer?.displayName ?? '',
  };
}

function toFields({
  name: dataset,
  dataListingDisplayName,
  fields,
}: DataReference): readonly Candidate[] {
  return fields.map((field) => ({
    id: `field/${dataset}/${field.name}`,
    name: field.name,
    detail: `${fieldTypeWord(field)} · ${dataListingDisplayName} · ${dataset}`,
    href: `#/datasets/${encodeURIComponent(dataset)}${defaultStringifySearch({ field: field.name })}`,
    own: field.description,
    around: `${dataset} ${dataListingDisplayName}`,
  }));
}

/** Those with all words, by how well they match; equal ones stay in their order. */
function bestOf(candidates: readonly Candidate[], words: readonly string[]): readonly Thing[] {
  return candidates
    .flatMap((candidate) => {
      const rank = rankOf(candidate, words);
      return rank === undefined ? [] : [{ candidate, rank }];
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ candidate }) => candidate);
}

/** 0 is the best; undefined: a word is missing, or all of them are only around it. */
function rankOf({ name, own, around }: Candidate, words: readonly string[]): number | undefined {
  const inName = foldText(name);
  const inOwn = `${inName} ${foldText(own)}`;
  const inAll = `${inOwn} ${foldText(around)}`;
  const text = words.join(' ');
  if (!words.every((word) => inAll.includes(word))) return undefined;
  if (inName === text) return 0;
  if (inName.startsWith(text)) return 1;
  if (words.every((word) => inName.includes(word))) return 2;
  if (words.length > 0 && !words.some((word) => inOwn.includes(word))) {
    return undefined;
  }
  return words.every((word) => inOwn.includes(word)) ? 3 : 4;
}
