/**
 * The parts of the navigation, in their order. The pages of a folder come in the order in which its README links to them;
 * others follow by title.
 */
export const GROUPS: readonly Group[] = [
  {
    label: 'Start here',
    folder: 'docs/tutorial',
    first: ['docs/explanation/glossary.md', 'docs/how-to/README.md'],
  },
  { label: 'Guides', folder: 'docs/how-to', isSplit: true },
  { label: 'Reference', folder: 'docs/reference' },
  { label: 'Background', folder: 'docs/explanation' },
  {
    label: 'Project',
    first: ['CHANGELOG.md', 'SECURITY.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'],
    isForOthers: true,
  },
];

/** Pages that are linked where they matter, and are not in the navigation. */
export const UNLISTED = /^docs\/decisions\//;

export type Group = {
  readonly label: string;
  /** The folder whose pages are in the group. Those of its folders are groups in it. */
  readonly folder?: string;
  /** Pages of other folders, by their paths in the repository. */
  readonly first?: readonly string[];
  /** Whether each heading of the README of the folder is a group, instead of the folder. */
  readonly isSplit?: boolean;
  /** Whether the pages that no other group has are in this one. */
  readonly isForOthers?: boolean;
};
