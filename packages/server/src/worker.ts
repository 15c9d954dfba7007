import { beginServing } from './commands/serve-worker.ts';
import { followPrimary } from './processes/worker-channel.ts';

/** The entry point of a worker process of `locmetrics serve`. */
followPrimary(beginServing);
