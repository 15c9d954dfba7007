import { existsSync } from 'node:fs';
import { setTimeout as passTime } from 'node:timers/promises';
import {
  type DeliverOptions,
  type Delivery,
  deliverSwitches,
} from '@locmetrics/cluster/webhook/deliver-switches';
import type { DeliveryStore } from '@locmetrics/cluster/webhook/delivery-store';
import { type OpenWebhook, openWebhook } from '@locmetrics/cluster/webhook/open-webhook';
import type { Webhook } from '@locmetrics/cluster/webhook/post-switch';
import { startDelivery } from '@locmetrics/cluster/webhook/start-delivery';
import { readCurrentFile } from '@locmetrics/data-directory/versions/current-file';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import type { Observation, Observe } from '@locmetrics/server/observe/observation';
import type { Output } from '../cli/output.ts';
import { findWebhookConflicts } from '../config/check-config.ts';
import type { Config } from '../config/settings.ts';
import { servingRefusal } from './check-serving.ts';

type Configured = {
  /** Absent: that of the data directory. */
  readonly delivery?: DeliveryStore | undefined;
  readonly config: Pick<Config, 'webhook' | 'webhookSecret'>;
  readonly directory: DataDirectory;
};

/**
 * Call this before a command switches versions. The returned function notifies the webhook of the switch,
 * if there is one. Conflicting settings are refused. Any other problem with the webhook is only
 * reported, because the switch has taken effect.
 */
export async function prepareNotification({
  config,
  directory,
  delivery,
  output,
  deliverForMs = DELIVER_FOR_MS,
}: Configured & {
  readonly output: Output;
  readonly deliverForMs?: number;
}): Promise<() => Promise<void>> {
  const webhook = configuredWebhook(config);
  if (webhook === undefined) return async () => {};
  const sentUpTo = readCurrentFile(directory.current).lastSwitch;
  const saying = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      output.messages(`The webhook was not notified. ${reason}\n`);
    }
  };
  // A refused first publish must not leave a data directory.
  if (existsSync(directory.root)) await saying(() => startDelivery(directory, sentUpTo, delivery));
  return () =>
    saying(async () => {
      await startDelivery(directory, sentUpTo, delivery);
      const observe = (observation: Observation): void => {
        if (observation.kind !== 'webhook_given_up') return;
        const { switch: number, reason } = observation;
        output.messages(`The webhook ${reason}: switch ${number} is not sent again.\n`);
      };
      const reason = await deliverFor(deliverForMs, {
        directory,
        store: delivery,
        webhook,
        clock: Date.now,
        observe,
      });
      if (reason === undefined) return;
      output.messages(
        `The webhook ${reason}. locmetrics serve with the same --webhook, or the next command that switches, tries again.\n`,
      );
    });
}

/** The webhook of a service, notified as long as the service runs. */
export function openConfiguredWebhook({
  config,
  directory,
  delivery,
  observe,
}: Configured & { readonly observe: Observe }): OpenWebhook | undefined {
  const webhook = configuredWebhook(config);
  if (webhook === undefined) return undefined;
  return openWebhook({ directory, store: delivery, webhook, clock: Date.now, observe });
}

function configuredWebhook(config: Configured['config']): Webhook | undefined {
  const conflicts = findWebhookConflicts(config);
  if (conflicts.length > 0) throw servingRefusal(conflicts);
  const { webhook: url, webhookSecret: secret } = config;
  return url === undefined || secret === undefined ? undefined : { url, secret };
}

/** Long enough for a receiver that restarts, short enough for a user of the command. */
const DELIVER_FOR_MS = 15_000;
const RETRY_MIN_MS = 500;

/** Returns why a switch was not accepted in time; it completes the sentence `The webhook …`. */
async function deliverFor(
  durationMs: number,
  options: Omit<DeliverOptions, 'signal'>,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(durationMs);
  let delivery: Delivery;
  let pauseMs = RETRY_MIN_MS;
  do {
    delivery = await deliverSwitches({ ...options, signal });
    if (delivery.kind === 'done') return undefined;
    await passTime(pauseMs, undefined, { signal }).catch(() => {});
    // Another process finishes as soon as its receiver answers.
    if (delivery.kind === 'failed') pauseMs *= 2;
  } while (!signal.aborted);
  return delivery.kind === 'busy' ? 'is being notified by another process' : delivery.reason;
}
