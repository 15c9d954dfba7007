import { beginServing } from './commands/serve-worker.ts';
import { followPrimary } from './processes/worker-channel.ts';

/** What a worker process of `locmetrics serve` runs. */
followPrimary(beginServing);
