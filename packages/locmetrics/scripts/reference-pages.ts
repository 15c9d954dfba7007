import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FIELD_TYPES } from '@locmetrics/core/domain/field';
import {
  FILTER_OPERATOR_NAMES,
  FILTER_OPERATORS,
  supportedOperators,
} from '@locmetrics/core/domain/filter';
import { ERROR_TABLE } from '@locmetrics/core/errors/service-error';
import { LOG_TABLE } from '@locmetrics/server/observe/log-table';
import { METRIC_TABLE, type MetricRow } from '@locmetrics/server/observe/metric-table';
import {
  environmentNameOf,
  flagOf,
  SETTING_KEYS,
  SETTINGS,
  type Setting,
} from '../src/config/settings.ts';
import { commandPages } from './command-pages.ts';
import { manifestTables } from './manifest-tables.ts';
import { markdownTable } from './markdown-table.ts';

export type Page = { readonly path: string; readonly text: string };

/** The reference pages. The parts between two marks are generated from the code. */
export async function referencePages(): Promise<readonly Page[]> {
  return [
    fillPage('configuration.md', { settings: settingTables() }),
    fillPage('catalog-interface.md', { operators: operatorTable() }),
    fillPage('errors.md', { errors: errorTable() }),
    fillPage('logs.md', { kinds: logTable() }),
    fillPage('metrics.md', { metrics: metricTable() }),
    ...Object.entries(manifestTables()).map(([page, tables]) =>
      fillPage(`manifest/${page}`, tables),
    ),
    ...Object.entries(await commandPages()).map(([page, parts]) =>
      fillPage(`commands/${page}`, parts),
    ),
  ];
}

/** A generated part is between `<!-- name -->` and `<!-- /name -->`. */
function fillPage(name: string, parts: Readonly<Record<string, string>>): Page {
  const path = fileURLToPath(new URL(`../../../docs/reference/${name}`, import.meta.url));
  let text = readFileSync(path, 'utf8');
  for (const [part, content] of Object.entries(parts)) {
    const [begin, end] = [`<!-- ${part} -->\n`, `<!-- /${part} -->`];
    const [before, , after] = text.split(new RegExp(`(?<=${begin})([^]*)(?=${end})`));
    if (before === undefined || after === undefined) throw new Error(`${name} has no ${begin}`);
    text = `${before}\n${content}\n${after}`;
  }
  return { path, text };
}

/** A row for the types of fields that support the same operators. */
function operatorTable(): string {
  const code = (names: readonly string[]) => names.map((name) => `\`${name}\``);
  const lists = FILTER_OPERATOR_NAMES.filter((name) => FILTER_OPERATORS[name].takes === 'list');
  const types = Map.groupBy(FIELD_TYPES, (type) => code(supportedOperators({ type })).join(' '));
  const rows = [...types].map(([operators, same]) => [same.join(', '), operators]);
  const listed = new Intl.ListFormat('en-GB').format(code(lists));
  return [
    `\`{"fieldName": …, "operator": …, "value": …}\`, or \`"values": […]\` for ${listed}.\n\n`,
    markdownTable(['type of the field', 'operators'], rows),
  ].join('');
}

function settingTables(): string {
  const groups = Map.groupBy(SETTING_KEYS, (key) => SETTINGS[key].group);
  return [...groups]
    .map(([group, keys]) => {
      const rows = keys.map((key) => {
        const setting: Setting<unknown> = SETTINGS[key];
        const { type, defaultText, description, isSecret } = setting;
        return [
          `\`${flagOf(setting)}\``,
          `\`${environmentNameOf(setting)}\``,
          type.expected,
          `\`${defaultText}\``,
          isSecret === true ? `${description} Secret.` : description,
        ];
      });
      return `## ${group}\n\n${markdownTable(['flag', 'variable', 'value', 'default', 'what it does'], rows)}`;
    })
    .join('\n');
}

function errorTable(): string {
  return markdownTable(
    ['reason', 'code', 'HTTP', 'meaning, and what you can do'],
    Object.entries(ERROR_TABLE).map(([reason, { code, httpStatus, meaning }]) => [
      `\`${reason}\``,
      `\`${code}\``,
      String(httpStatus),
      meaning,
    ]),
  );
}

function logTable(): string {
  return markdownTable(
    ['kind', 'level', 'meaning'],
    Object.entries(LOG_TABLE).map(([kind, { level, meaning }]) => [`\`${kind}\``, level, meaning]),
  );
}

function metricTable(): string {
  return markdownTable(
    ['metric', 'type', 'labels', 'combined by', 'meaning'],
    Object.entries<MetricRow>(METRIC_TABLE).map(([name, { type, labels, merge, help }]) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(' '),
      merge,
      help,
    ]),
  );
}
