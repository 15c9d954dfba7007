import type { ReportedNode } from '@locmetrics/cluster/versions/node-reports';
import type { Run } from '../../cli/define-command.ts';
import { formatTable, jsonLine } from '../../cli/output.ts';
import { areVersionsShared, findDataDirectory } from '../../compose/open-data.ts';
import { ConfigError } from '../../config/config-error.ts';

/** Lists the nodes that share versions. It reads PostgreSQL alone, so that it also works beside a damaged mirror. */
export const listNodesAction: Run = async (output, { settings, json }) => {
  const { config } = findDataDirectory({ settings, output });
  if (config.control === undefined || !areVersionsShared(config)) throw notShared();
  const { lastSwitch, nodes } = await readNodes(config.control);
  if (json) {
    output.data(jsonLine({ lastSwitch, nodes: nodes.map(toAnswer) }));
    return;
  }
  if (nodes.length === 0) {
    output.messages('No node has reported within a day. Start one: locmetrics serve\n');
    return;
  }
  output.data(
    formatTable(
      ['NODE', 'HOST', 'ADDRESS', 'RELEASE', 'LAST SEEN', 'STATE', 'SWITCH'],
      nodes.map((node) => [
        node.id,
        node.host,
        node.addresses.join(' ') || '-',
        node.release,
        ageText(node.lastSeenAgeMs),
        stateOf(node),
        switchText(node, lastSwitch),
      ]),
    ),
  );
  output.messages(`The last switch has the number ${lastSwitch}.\n`);
};

async function readNodes(control: string): Promise<{
  readonly lastSwitch: number;
  readonly nodes: readonly ReportedNode[];
}> {
  const [{ openPostgres }, { listNodes }, { readCurrent }, { migrateVersionStore }] =
    await Promise.all([
      import('@locmetrics/cluster/postgres/open-postgres'),
      import('@locmetrics/cluster/versions/node-reports'),
      import('@locmetrics/cluster/versions/commit-switch'),
      import('@locmetrics/cluster/versions/version-store-schema'),
    ]);
  const postgres = openPostgres(control, { connectionsMax: 1 });
  try {
    await migrateVersionStore(postgres);
    const { current } = await readCurrent(postgres);
    return { lastSwitch: current.lastSwitch, nodes: await listNodes(postgres.query) };
  } finally {
    await postgres.close();
  }
}

function notShared(): ConfigError {
  return new ConfigError(
    'The settings name no versions that nodes share.',
    'Name the PostgreSQL and the ClickHouse of the nodes with --control and --clickhouse, LOCMETRICS_CONTROL and LOCMETRICS_CLICKHOUSE, or in the configuration file.',
  );
}

function toAnswer(node: ReportedNode) {
  const { id, host, addresses, release, started, lastSeen, lastSeenAgeMs, lastSwitch } = node;
  return {
    ...{ nodeId: id, host, addresses, release, started, lastSeen, lastSeenAgeMs },
    ...{ state: stateOf(node), lastSwitch },
  };
}

/** `gone`: it has not reported in time, so versions that it used may be removed. */
function stateOf({ isLive }: ReportedNode): 'live' | 'gone' {
  return isLive ? 'live' : 'gone';
}

function ageText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 2 * MINUTE) return `${seconds} s ago`;
  if (seconds < 2 * HOUR) return `${Math.floor(seconds / MINUTE)} min ago`;
  return `${Math.floor(seconds / HOUR)} h ago`;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

function switchText({ isLive, lastSwitch: own }: ReportedNode, lastSwitch: number): string {
  if (own === null) return '-';
  return isLive && own < lastSwitch ? `${own}, behind` : String(own);
}
