import { isDeepStrictEqual } from 'node:util';
import { askOnce } from './ask-once.ts';
import type { DatasetReader } from './dataset/dataset-reader.ts';
import type { Target } from './driver/load-order.ts';
import { createRandom } from './seeded-random.ts';
import type { Context, Facts, Shape } from './workloads/workload.ts';

/**
 * Sends some requests to a system with a separate client and compares each answer with the files of the
 * dataset: a fast wrong answer is not a result.
 */
export async function checkAnswers({
  name,
  shape,
  target,
  context,
  dataset,
}: {
  readonly name: string;
  readonly shape: Shape;
  readonly target: Target;
  readonly context: Context;
  readonly dataset: DatasetReader;
}): Promise<void> {
  const random = createRandom(`${context.world.seed}/check`);
  for (let count = 0; count < CHECKS_COUNT; count++) {
    const { request, read, expect } = shape.ask(random, context);
    const facts = read(await askOnce(target, request));
    const expected = await expect(dataset);
    const names = Object.keys(facts);
    const wrong = names.find((fact) => !isDeepStrictEqual(facts[fact], expected[fact]));
    if (names.length === 0 || wrong !== undefined) {
      throw new Error(
        `${name} answered wrongly to ${JSON.stringify(request)}\n` +
          `${wrong}: ${show(facts, wrong)}\nexpected: ${show(expected, wrong)}`,
      );
    }
  }
}

const CHECKS_COUNT = 5;

function show(facts: Facts, name = ''): string {
  return (JSON.stringify(facts[name]) ?? 'nothing').slice(0, 1000);
}
