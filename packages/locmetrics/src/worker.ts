import { followPrimary } from './processes/worker-channel.ts';
import { startServing } from './serving/serve-worker.ts';

/** The entry point of a worker process of `locmetrics serve`. */
followPrimary(startServing);
