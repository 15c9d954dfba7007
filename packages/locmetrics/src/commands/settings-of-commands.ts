const CLICKHOUSE_SETTINGS = [
  'clickhouse',
  'clickhousePassword',
  'clickhouseCluster',
  'clickhouseReplicated',
] as const;
const STEP_SETTINGS = [
  'publishMemoryBytes',
  'publishUnpackedBytes',
  'threads',
  'publishStepTimeMs',
] as const;

/** Of commands that open the data directory and the control store. */
export const DATA_SETTINGS = ['data', 'control'] as const;
/** Of commands that know what is published, also where nodes share it. */
export const VERSION_SETTINGS = [...DATA_SETTINGS, ...CLICKHOUSE_SETTINGS] as const;
/** Of commands that read whole versions. */
export const TABLE_SETTINGS = [
  ...DATA_SETTINGS,
  'publishMemoryBytes',
  'threads',
  ...CLICKHOUSE_SETTINGS,
] as const;
/** Of commands that remove versions. */
export const RETENTION_SETTINGS = [
  ...DATA_SETTINGS,
  'versionsKept',
  'versionsKeptForMs',
  ...CLICKHOUSE_SETTINGS,
] as const;
/** Of commands that switch versions. */
export const SWITCH_SETTINGS = [...RETENTION_SETTINGS, 'webhook', 'webhookSecret'] as const;
/** For commands that inspect files. */
export const FILE_SETTINGS = ['publishMemoryBytes', 'publishUnpackedBytes', 'threads'] as const;
export const PUBLISH_SETTINGS = [...SWITCH_SETTINGS, ...STEP_SETTINGS] as const;
export const CHECK_SETTINGS = [...VERSION_SETTINGS, ...STEP_SETTINGS] as const;
