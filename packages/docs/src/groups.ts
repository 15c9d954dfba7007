/** The parts of the navigation, in their order. A page that nothing names here is in the group of its folder, after the others. */
export const GROUPS: readonly Group[] = [
  { label: 'Start here', folder: 'docs/tutorial' },
  {
    label: 'Publish data',
    folder: 'docs/how-to',
    first: [
      'docs/how-to/publish-your-data.md',
      'docs/how-to/my-file-looks-like-this.md',
      'docs/how-to/my-values-look-like-this.md',
      'docs/how-to/my-rows-look-like-this.md',
      'examples/README.md',
      'docs/how-to/check-a-publish.md',
      'docs/how-to/add-a-month.md',
      'docs/how-to/work-with-versions.md',
      'docs/how-to/recover-versions.md',
      'docs/how-to/follow-versions.md',
    ],
  },
  {
    label: 'Give access',
    first: [
      'docs/how-to/my-first-customer.md',
      'docs/how-to/hand-out-data.md',
      'docs/how-to/limit-usage.md',
      'docs/how-to/bill-usage.md',
    ],
  },
  {
    label: 'Use data',
    first: [
      'docs/how-to/look-at-the-data.md',
      'docs/how-to/chart-a-metric.md',
      'docs/how-to/use-from-python.md',
      'docs/how-to/move-from-the-hosted-service.md',
      'docs/how-to/troubleshoot-requests.md',
      'packages/sdk/README.md',
    ],
  },
  {
    label: 'Run the service',
    first: [
      'docs/how-to/run-as-a-service.md',
      'docs/how-to/run-in-containers.md',
      'docs/how-to/run-in-kubernetes.md',
      'docs/how-to/publish-in-kubernetes.md',
      'docs/how-to/run-several-nodes.md',
      'docs/how-to/security-checklist.md',
      'docs/how-to/upgrade.md',
      'docs/how-to/size-a-deployment.md',
      'docs/how-to/serve-from-clickhouse.md',
      'docs/how-to/share-a-control-store.md',
      'docs/how-to/back-up-and-restore.md',
      'docs/how-to/monitor.md',
      'docs/how-to/troubleshooting.md',
    ],
  },
  { label: 'Understand it', folder: 'docs/explanation' },
  {
    label: 'Reference',
    folder: 'docs/reference',
    first: [
      'docs/reference/catalog-interface.md',
      'docs/reference/metric-interface.md',
      'docs/reference/discovery-interface.md',
      'docs/reference/tiles.md',
      'docs/reference/grpc-interface.md',
      'docs/reference/http.md',
      'docs/reference/errors.md',
      'docs/reference/usage.md',
      'docs/reference/configuration.md',
      'docs/reference/admin-interface.md',
      'docs/reference/metrics.md',
      'docs/reference/logs.md',
    ],
  },
  {
    label: 'Project',
    first: ['CHANGELOG.md', 'SECURITY.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'],
    rest: true,
    collapsed: true,
  },
  { label: 'Decisions', folder: 'docs/decisions', collapsed: true },
];

export type Group = {
  readonly label: string;
  /** The folder whose other pages are in the group, by title. */
  readonly folder?: string;
  /** Pages, by their paths in the repository, before those of the folder. */
  readonly first?: readonly string[];
  /** Whether the pages that no other group has are in this one. */
  readonly rest?: boolean;
  readonly collapsed?: boolean;
};
