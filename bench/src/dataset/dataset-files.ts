/** The files of a dataset, each with the fields that the manifest declares. */
export const DATASET_FILES = ['places', 'visits', 'long_visits', 'names', 'counties'] as const;
